import type { Words } from '../en.ts'

export const walletLink: Words['walletLink'] = {
  create: 'Wallet-Link erstellen',
  again: 'Weiteren Link erstellen',
  title: (name) => `Wallet-Link für ${name}`,
  label: 'Link',
  warning: (name, until) =>
    `Dieser Link wird nur einmal angezeigt. Schicke ihn nur ${name}: Wer ihn öffnet, kann dort ein Wallet ` +
    `verknüpfen. Er funktioniert einmal, bis ${until}.`,
  pending: (until) => `Die Signatur steht noch aus. Der Link gilt bis ${until}.`,
  expired: (until) => `Der Link ist um ${until} abgelaufen.`,
  used: (name) => `${name} hat ein Wallet verifiziert`,
}
