import type { Words } from '../en.ts'

export const health: Words['health'] = {
  title: 'Zustand',
  intro: 'Wie es der Installation geht, so wie der Server es sieht, der gerade geantwortet hat.',
  all: { good: 'Alles in Ordnung', warn: 'Etwas sollte man sich ansehen', bad: 'Etwas stimmt nicht' },
  state: { good: 'gut', warn: 'ansehen', bad: 'falsch' },
  asOf: (when) => `Stand ${when}; alle 10 Sekunden neu gelesen.`,
  serving: 'Dienst',
  serves: 'Er beantwortet Anfragen.',
  database: 'Datenbank',
  up: 'PostgreSQL antwortet.',
  down:
    'PostgreSQL antwortet nicht. Ist es da, und das Netz dorthin? Schreiben wird mit 503 beantwortet ' +
    'und geht von selbst weiter.',
  durability: 'Dauerhaftigkeit',
  durable: {
    database: 'Änderungen sind auf der Platte der Datenbank, bevor sie bestätigt werden.',
    storage: 'Der Speicher unter der Datenbank bewahrt Änderungen, wie DURABILITY=storage sagt.',
    strict: 'Eine Änderung wird bestätigt, wenn ein Standby sie hat.',
  },
  standbyUnknown:
    'Ob Standbys bestätigen, darf die Rolle des Servers nicht sehen: mit pg_read_all_stats steht es hier.',
  standbys: (count) => `${count} bestätigen Commits.`,
  standbyMissing:
    'Ein Commit wartet auf einen Standby, und keiner ist da. Bringe einen zurück: bis dahin steht ' +
    'das Schreiben still.',
  noStandby:
    'Kein Standby hat eine Kopie: was nach der letzten Sicherung kam, ginge mit ihrer Platte verloren.',
  standings: 'Ranglisten',
  standingsNow: 'Sie zeigen jede Änderung.',
  standingsLag: (seconds, realms) => `${seconds} s zurück, in ${realms} Realms.`,
  standingsBehind: 'Guthaben stimmen. Das Log sagt „standings could not follow“ und warum.',
  verified: 'Bücher',
  verifiedAt: (when) => `Geprüft ${when}: jeder Eintrag, jedes Guthaben und jeder Hash stimmt.`,
  verifiedOld: 'Lass verify jede Nacht laufen.',
  verifiedNever:
    'In den letzten fünf Wochen nicht geprüft. Lass verify jede Nacht laufen: es rechnet jedes Journal nach.',
  verifiedWrong: (when) =>
    `Fehler gefunden ${when}. Schreibe nicht mehr in diesen Realm, bewahre eine Kopie der Datenbank auf ` +
    'und lies, was verify ausgab.',
  writes: 'Schreibzugriffe, die warten',
  connections: 'Offene Verbindungen',
  version: 'Version',
  started: 'Läuft seit',
  facts: 'Dieser Server',
}
