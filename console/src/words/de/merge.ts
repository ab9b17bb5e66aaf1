import type { Words } from '../en.ts'

export const merge: Words['merge'] = {
  action: 'Weiteres Mitglied zusammenführen',
  title: (name) => `Mit ${name} zusammenführen`,
  intro: 'Alle Punkte, Wallets und Namen bei anderen Diensten kommen hierher. Die alte ID gilt weiter.',
  from: 'Mitglied',
  fromHint: 'Dieses Mitglied gibt es danach nicht mehr. Du kannst das rückgängig machen.',
  confirm: 'Zusammenführen',
  done: (from, to) => `${from} ist mit ${to} zusammengeführt`,
  points: (amount, currency, balance) => `${amount} ${currency} kommen dazu; der Stand ist dann ${balance}`,
  noPoints: 'Keine Punkte',
  identities: (count) =>
    count === 1 ? '1 Name bei einem anderen Dienst' : `${count} Namen bei anderen Diensten`,
  wallets: (count) => (count === 1 ? '1 Wallet' : `${count} Wallets`),
  section: 'Zusammengeführte Mitglieder',
  undo: 'Rückgängig',
  undoOf: (id) => `Zusammenführung von ${id} rückgängig machen`,
  undoTitle: (id) => `Zusammenführung von ${id} rückgängig machen?`,
  undoIntro: (id, name) =>
    `${id} ist dann wieder ein eigenes Mitglied. Punkte seit der Zusammenführung und Namen bei anderen Diensten bleiben bei ${name}.`,
  pointsBack: (amount, currency) => `${amount} ${currency} gehen zurück`,
  undone: (id) => `${id} ist wieder ein eigenes Mitglied`,
}
