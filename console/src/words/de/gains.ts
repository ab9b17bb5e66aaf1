import type { Words } from '../en.ts'

export const gains: Words['gains'] = {
  action: 'Zugänge stornieren',
  title: (name) => `Zugänge von ${name} stornieren`,
  intro: 'Punkte, die das Mitglied erhalten hat, gehen zurück. Alle Einträge bleiben im Journal.',
  since: 'Erhalten seit',
  list: 'Zugänge, die storniert werden',
  backTo: (name) => `zurück an ${name}`,
  states: {
    short: 'Guthaben reicht nicht',
    gone: 'Absender wurde entfernt',
  },
  none: 'Seit diesem Tag gibt es keine Zugänge zu stornieren.',
  capped: (count) => `Nur die neuesten ${count} sind aufgeführt. Storniere die älteren danach.`,
  short: (count) =>
    count === '1'
      ? '1 Zugang lässt sich nicht stornieren: Die Punkte sind ausgegeben, übertragen oder vorgemerkt.'
      : `${count} Zugänge lassen sich nicht stornieren: Die Punkte sind ausgegeben, übertragen oder ` +
        'vorgemerkt.',
  final: 'Ein Storno lässt sich nicht rückgängig machen: Du müsstest die Punkte neu vergeben.',
  confirm: (count) => (count === '1' ? '1 Eintrag stornieren' : `${count} Einträge stornieren`),
  progress: (done, all) => `${done} von ${all} storniert`,
  done: (count) => (count === '1' ? '1 Eintrag storniert' : `${count} Einträge storniert`),
  refused: (count) =>
    count === '1'
      ? '1 Eintrag konnte nicht storniert werden:'
      : `${count} Einträge konnten nicht storniert werden:`,
}
