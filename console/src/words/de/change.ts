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
    hold: 'Punkte reservieren: Sie sind nicht verfügbar, bis du sie einlöst oder freigibst.',
  },
  tokens: 'Anzahl',
  tokensWrong: 'Gib eine ganze Zahl von 1 bis 9.007.199.254.740.991 ein.',
  recipient: 'Empfänger',
  recipientHint: 'Anfang eines Namens, vollständige ID oder Wallet.',
  recipientWrong: 'Wähle ein Mitglied.',
  reason: 'Grund',
  reasonHint: 'Erscheint im Auszug des Mitglieds.',
  reference: 'Referenz, etwa eine Bestellnummer',
  minutes: 'Dauer in Minuten',
  minutesWrong: 'Gib 1 bis 44.640 Minuten (31 Tage) ein.',
  preview: 'Vorschau',
  previewed: 'Vorschau: Noch wurde nichts geändert.',
  confirm: {
    award: 'Vergeben',
    take: 'Abziehen',
    transfer: 'Übertragen',
    hold: 'Vormerken',
    undo: 'Stornieren',
  },
  back: 'Zurück',
  frozen: 'Dieses Mitglied ist eingefroren. Es bekommt die Punkte, kann sie aber nicht einlösen.',
  heldThen: 'vorgemerkt',
  done: {
    award: (amount, name) => `${amount} an ${name} vergeben`,
    take: (amount, name) => `${amount} von ${name} abgezogen`,
    transfer: (amount, name) => `${amount} von ${name} übertragen`,
    hold: (amount, name) => `${amount} für ${name} vorgemerkt`,
  },
}
