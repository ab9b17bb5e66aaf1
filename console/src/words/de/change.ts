import type { Words } from '../en.ts'

export const change: Words['change'] = {
  titles: {
    award: 'Punkte vergeben',
    take: 'Punkte abziehen',
    transfer: 'Punkte übertragen',
    hold: 'Punkte vormerken',
  },
  intros: {
    award: 'Neue Punkte für dieses Mitglied.',
    take: 'Punkte, die dieses Mitglied einlöst oder verliert.',
    transfer: 'Von diesem Mitglied an ein anderes.',
    hold: 'Punkte zur Seite legen: Sie sind gesperrt, bis sie eingelöst oder freigegeben werden.',
  },
  tokens: 'Wie viele',
  tokensWrong: 'Eine ganze Zahl von 1 bis 9.007.199.254.740.991.',
  recipient: 'An wen',
  recipientHint: 'Der Anfang eines Namens, eine ganze ID oder ein Wallet.',
  recipientWrong: 'Wähle ein Mitglied.',
  reason: 'Grund',
  reasonHint: 'Steht im Auszug des Mitglieds.',
  reference: 'Deine eigene Nummer',
  minutes: 'Für wie viele Minuten',
  minutesWrong: 'Von 1 bis 44.640 Minuten, das sind 31 Tage.',
  preview: 'Prüfen',
  previewed: 'Geprüft, und noch ist nichts geändert. Das würde geschehen:',
  confirm: {
    award: 'Vergeben',
    take: 'Abziehen',
    transfer: 'Übertragen',
    hold: 'Vormerken',
    undo: 'Rückgängig machen',
  },
  back: 'Zurück',
  frozen: 'Dieses Mitglied ist eingefroren. Es bekommt die Punkte, kann sie aber nicht ausgeben.',
  heldThen: 'vorgemerkt',
  done: {
    award: (amount, name) => `${amount} an ${name} vergeben`,
    take: (amount, name) => `${amount} von ${name} abgezogen`,
    transfer: (amount, name) => `${amount} von ${name} übertragen`,
    hold: (amount, name) => `${amount} von ${name} vorgemerkt`,
  },
}
