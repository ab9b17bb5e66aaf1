import type { Words } from '../en.ts'

export const webhooks: Words['webhooks'] = {
  title: 'Webhooks',
  intro: 'Ein Webhook sendet die Änderungen von Punkten in diesem Realm sofort an ein Programm von dir.',
  list: 'Webhooks dieses Realms',
  none: 'Noch keine Webhooks',
  noneHint:
    'Mit einem Webhook erfährt dein Shop, dein Bot oder deine Website innerhalb einer Sekunde von jeder ' +
    'Vergabe, Übertragung und Vormerkung. Fällt das Programm aus, geht nichts verloren: Alles wird ' +
    'nachgesendet.',
  steps: {
    add: { name: 'Adresse eingeben', hint: 'Eine URL deines Programms und die Ereignisse, die es braucht.' },
    keep: {
      name: 'Secret speichern',
      hint: 'Es wird einmal angezeigt. Damit prüft dein Programm, dass ein Ereignis von hier kommt.',
    },
    try: { name: 'Test senden', hint: 'Du siehst sofort, was dein Programm antwortet.' },
  },
  add: 'Webhook hinzufügen',
  addIntro: 'Das Programm unter dieser Adresse bekommt jedes Ereignis als signierte Anfrage.',
  url: 'URL',
  urlHint: 'Wohin Ereignisse gesendet werden. Sie beginnt mit https://.',
  urlWrong: 'Gib eine vollständige URL ein, etwa https://shop.example.com/events.',
  description: 'Beschreibung',
  descriptionHint: 'Wofür er ist, etwa „der Shop“.',
  events: 'Ereignisse',
  everyEvent: 'Alle Ereignisse',
  everyEventHint: 'Auch solche späterer Versionen.',
  someEvents: 'Nur diese Ereignisse',
  typesMissing: 'Wähle mindestens ein Ereignis.',
  typeCount: (count) => (count === '1' ? '1 Ereignis' : `${count} Ereignisse`),
  type: {
    'points.adjusted': {
      name: 'Punkte vergeben oder abgezogen',
      hint: 'Auch Anfangsguthaben eines Imports.',
    },
    'points.transferred': {
      name: 'Punkte übertragen',
      hint: 'Von einem Mitglied an ein anderes, mit beiden Guthaben.',
    },
    'points.reversed': { name: 'Eintrag storniert', hint: 'Nennt den stornierten Eintrag.' },
    'points.claimed': { name: 'Punkte beansprucht', hint: 'Für einen Snapshot abgezogen.' },
    'points.merged': {
      name: 'Punkte zusammengeführt',
      hint: 'Verschoben, weil zwei Mitglieder zusammengeführt wurden.',
    },
    'points.lapsed': { name: 'Punkte verfallen', hint: 'Ihr letzter Tag ist vorbei.' },
    'hold.created': {
      name: 'Punkte vorgemerkt',
      hint: 'Für ein Mitglied reserviert, bis sie eingelöst oder freigegeben werden.',
    },
    'hold.captured': { name: 'Vormerkung eingelöst', hint: 'Die vorgemerkten Punkte wurden ausgegeben.' },
    'hold.released': { name: 'Vormerkung freigegeben', hint: 'Die Punkte sind wieder verfügbar.' },
    'hold.expired': {
      name: 'Vormerkung abgelaufen',
      hint: 'Sie wurde weder eingelöst noch rechtzeitig freigegeben.',
    },
    'award.created': {
      name: 'Punkte zugesagt',
      hint: 'Ausstehend, bis die Zusage gutgeschrieben oder zurückgezogen wird.',
    },
    'award.granted': { name: 'Zusage gutgeschrieben', hint: 'Die zugesagten Punkte sind im Guthaben.' },
    'award.cancelled': { name: 'Zusage zurückgezogen', hint: 'Das Mitglied erhält die Punkte nicht.' },
    'balance.crossed': {
      name: 'Guthabenschwelle überschritten',
      hint: 'Das Guthaben eines Mitglieds hat einen von dir gewählten Betrag erreicht oder unterschritten.',
    },
    'member.created': {
      name: 'Mitglied hinzugefügt',
      hint: 'Nicht für Mitglieder, die durch Punkte dazukommen: das sagt die Vergabe.',
    },
    'member.changed': {
      name: 'Mitglied geändert',
      hint: 'Name, eingefroren oder verborgen. Nennt, was sich geändert hat, nicht die Namen.',
    },
    'member.merged': {
      name: 'Mitglieder zusammengeführt',
      hint: 'Oder eine Zusammenführung rückgängig gemacht, auch ohne Punkte.',
    },
    'member.removed': { name: 'Mitglied entfernt', hint: 'Das Mitglied hat den Realm verlassen.' },
    'member.erased': {
      name: 'Mitglied gelöscht',
      hint: 'Lösche, was dein Programm über dieses Mitglied gespeichert hat.',
    },
    'members.imported': { name: 'Mitglieder importiert', hint: 'Einmal für jeden Teil eines Imports.' },
    'points.lapsing': { name: 'Punkte verfallen bald', hint: 'Sieben Tage vorher, für jedes Mitglied.' },
    'wallet.linked': { name: 'Wallet verknüpft', hint: 'Ein Mitglied hat eine Wallet verknüpft.' },
    'wallet.unlinked': { name: 'Wallet getrennt', hint: 'Eine Wallet gehört nicht mehr zum Mitglied.' },
    'key.created': { name: 'API-Schlüssel erstellt', hint: 'Enthält nie den Schlüssel.' },
    'key.revoked': { name: 'API-Schlüssel widerrufen', hint: 'Er funktioniert nicht mehr.' },
    'key.expiring': { name: 'API-Schlüssel läuft bald ab', hint: 'Sieben Tage vorher.' },
    'checkpoint.signed': {
      name: 'Prüfpunkt signiert',
      hint: 'Eine signierte Aussage über den Stand des Journals, alle paar Minuten.',
    },
    'endpoint.disabled': {
      name: 'Anderer Webhook deaktiviert',
      hint: 'Ein anderer Webhook dieses Realms wurde nach Fehlern deaktiviert.',
    },
  },
  testEvent: 'Test',
  thresholds: 'Beobachtete Guthaben',
  thresholdsHint:
    'Das Ereignis „Guthabenschwelle überschritten“ wird gesendet, wenn das Guthaben eines Mitglieds einen ' +
    'dieser Beträge kreuzt.',
  threshold: 'Guthaben',
  thresholdWrong: 'Gib für jedes Guthaben eine ganze Zahl über 0 ein.',
  addThreshold: 'Guthaben hinzufügen',
  removeThreshold: 'Dieses Guthaben entfernen',
  ordered: 'Reihenfolge einhalten',
  orderedHint:
    'Jedes Ereignis wird erst gesendet, wenn dein Programm das vorige angenommen hat. Schlägt eines fehl, ' +
    'warten alle späteren.',
  details: 'Einzelheiten mitsenden',
  detailsHint:
    'Grund, Referenz, Metadaten und Auslöser. In einem Programm, das sie bekommen hat, lassen sie sich von ' +
    'hier aus nicht löschen.',
  created: (name) => `Webhook „${name}“ hinzugefügt`,
  secret: 'Secret für die Signatur',
  shownOnce: 'Dieses Secret wird nur einmal angezeigt. Kopiere es jetzt.',
  name: 'Webhook',
  state: 'Status',
  states: {
    healthy: 'In Ordnung',
    retrying: 'Wiederholt',
    waiting: 'Wartet',
    disabled: 'Deaktiviert',
  },
  progress: 'Stand',
  upToDate: 'Aktuell',
  behind: (count) => (count === '1' ? '1 Eintrag zurück' : `${count} Einträge zurück`),
  parked: (count) => (count === '1' ? '1 Ereignis zu wiederholen' : `${count} Ereignisse zu wiederholen`),
  replaying: (seq, last) => `Erneut gesendet: Eintrag ${seq} von ${last}`,
  back: 'Webhooks',
  gone: 'Diesen Webhook gibt es nicht',
  goneHint: 'Er wurde gelöscht, oder die Adresse ist falsch.',
  about: {
    retrying: {
      title: 'Einige Ereignisse sind fehlgeschlagen',
      text:
        'Jedes davon wird wiederholt, bis zu siebenmal in 28 Stunden, danach nicht mehr. Neue Ereignisse ' +
        'werden inzwischen weiter gesendet.',
      hint:
        'Sieh dir unten die fehlgeschlagenen Zustellungen an. Sobald dein Programm wieder annimmt, ist nichts ' +
        'weiter zu tun.',
    },
    waiting: {
      title: 'Wartet auf dein Programm',
      text:
        'Zu viele Versuche sind fehlgeschlagen. Deshalb wird nur von Zeit zu Zeit ein Ereignis versucht. Es ' +
        'geht nichts verloren: Alle anderen warten im Journal und werden gesendet, sobald eines angenommen ' +
        'wird.',
      hint: 'Sieh unten nach, was dein Programm geantwortet hat, behebe den Fehler und versuche es jetzt.',
    },
    blocked: {
      title: 'Bei einem Ereignis angehalten',
      text:
        'Dieser Webhook hält die Reihenfolge ein, und dein Programm hat ein Ereignis nicht angenommen. Es ' +
        'wird wiederholt, bis es gelingt. Alle späteren warten darauf; es geht nichts verloren.',
      hint:
        'Behebe den Fehler und versuche es jetzt. Oder überspringe das Ereignis: Dein Programm bekommt es ' +
        'dann nie.',
    },
    disabled: {
      title: 'Es wird nichts gesendet',
      text:
        'Neue Ereignisse warten im Journal. Wenn du den Webhook aktivierst, macht er dort weiter, wo er ' +
        'aufgehört hat.',
      hint: 'Repariere dein Programm, sende einen Test und aktiviere dann den Webhook.',
    },
  },
  reasons: {
    client: 'Eine Person oder ein Programm hat ihn deaktiviert.',
    gone: 'Dein Programm hat mit 410 geantwortet: Es will keine Ereignisse mehr.',
    lost: 'Fünf Tage lang ist jeder Versuch fehlgeschlagen.',
  },
  disabledAt: (when) => `Deaktiviert: ${when}.`,
  failingSince: (when) => `Fehler seit ${when}.`,
  nextAttempt: (when) => `Nächster Versuch: ${when}.`,
  blockedEvent: 'Ereignis',
  tryNow: 'Jetzt versuchen',
  trying: 'Wird erneut versucht',
  enable: 'Aktivieren',
  enabled: 'Webhook aktiviert',
  disable: 'Deaktivieren',
  disableTitle: 'Diesen Webhook deaktivieren?',
  disableText:
    'Es wird nichts gesendet, bis du ihn wieder aktivierst. Dann macht er dort weiter, wo er aufgehört hat.',
  disabled: 'Webhook deaktiviert',
  skip: 'Ereignis überspringen',
  skipTitle: 'Dieses Ereignis überspringen?',
  skipText:
    'Dein Programm bekommt es nie, und der Webhook macht mit dem nächsten weiter. Das lässt sich nicht ' +
    'rückgängig machen.',
  skipped: 'Ereignis übersprungen',
  test: 'Test senden',
  testIntro: 'Sendet jetzt ein Testereignis, auch wenn der Webhook wartet oder deaktiviert ist.',
  tested: {
    good: (status, ms) => `Dein Programm hat es angenommen: ${status}, nach ${ms} ms.`,
    bad: (status, ms) => `Dein Programm hat es nicht angenommen: ${status}, nach ${ms} ms.`,
    none: (ms) => `Es gab keine Antwort, nach ${ms} ms.`,
  },
  expected: 'Ein Status von 200 bis 299 innerhalb von 15 Sekunden bedeutet: angenommen.',
  deliveries: 'Zustellungen',
  deliveriesIntro: 'Alle Versuche der letzten 7 Tage, höchstens 1.000.',
  which: 'Welche Zustellungen',
  all: 'Alle',
  failed: 'Fehlgeschlagen',
  noDeliveries: 'Noch nichts gesendet',
  noDeliveriesHint: 'Sende einen Test, oder vergib ein paar Punkte.',
  noFailed: 'Keine fehlgeschlagenen Zustellungen',
  noFailedHint: 'Dein Programm hat alles angenommen.',
  when: 'Gesendet',
  event: 'Ereignis',
  answer: 'Antwort',
  duration: 'Dauer',
  milliseconds: (ms) => `${ms} ms`,
  attempt: (nth) => `Versuch ${nth}`,
  attemptName: 'Versuch',
  replayed: 'Erneut',
  noAnswer: 'Keine Antwort',
  emptyAnswer: 'Die Antwort war leer.',
  answerText: 'Antwort deines Programms',
  error: 'Fehler',
  eventId: 'Ereignis-ID',
  entry: 'Eintrag',
  openDelivery: (event) => `Einzelheiten zu ${event}`,
  delivery: 'Zustellung',
  replay: 'Erneut senden',
  replayTitle: 'Ereignisse erneut senden',
  replayIntro:
    'Dein Programm bekommt die Ereignisse früherer Einträge noch einmal, mit denselben IDs, während neue ' +
    'weiterlaufen. An der ID erkennt es, was es schon verarbeitet hat.',
  replayBy: 'Einträge wählen nach',
  byDay: 'Tag',
  byEntry: 'Eintragsnummer',
  firstDay: 'Von',
  lastDay: 'Bis (einschließlich)',
  firstEntry: 'Erster Eintrag',
  lastEntry: 'Letzter Eintrag',
  lastIs: (seq) => `Der letzte Eintrag des Journals ist ${seq}.`,
  rangeWrong: 'Wähle einen ersten Eintrag, den es gibt und der nicht nach dem letzten kommt.',
  rangeEmpty: 'In diesem Zeitraum gibt es keine Einträge.',
  range: (first, last, count) =>
    count === '1' ? `Das ist Eintrag ${first}.` : `Das sind ${count} Einträge: ${first} bis ${last}.`,
  replayStarted: 'Wird erneut gesendet',
  replayRunning: (first, last) => `Die Einträge ${first} bis ${last} werden erneut gesendet.`,
  rotate: 'Secret ersetzen',
  rotateTitle: 'Secret ersetzen',
  rotateIntro:
    'Du bekommst ein neues Secret. Bis das alte abläuft, ist jedes Ereignis mit beiden signiert. So kann dein ' +
    'Programm jederzeit wechseln.',
  overlap: 'Altes Secret läuft ab',
  overlaps: {
    '0': 'Sofort',
    '3600': 'In einer Stunde',
    '86400': 'In einem Tag',
    '604800': 'In sieben Tagen',
  },
  rotated: 'Neues Secret',
  oldSecret: 'Altes Secret bis',
  settings: 'Einstellungen',
  change: 'Ändern',
  changeTitle: 'Diesen Webhook ändern',
  order: 'Reihenfolge',
  orders: { yes: 'Wird eingehalten', no: 'Beliebig' },
  detail: 'Einzelheiten',
  detailed: { yes: 'Werden mitgesendet', no: 'Werden nicht mitgesendet' },
  watched: 'Beobachtete Guthaben',
  createdAt: 'Hinzugefügt',
  remove: 'Löschen',
  removeTitle: (name) => `Webhook „${name}“ löschen?`,
  removeText:
    'Es wird nichts mehr an ihn gesendet, und die Liste seiner Zustellungen wird gelöscht. Ereignisse, die er ' +
    'noch nicht bekommen hat, werden nicht gesendet. Das lässt sich nicht rückgängig machen.',
  removed: (name) => `Webhook „${name}“ gelöscht`,
}
