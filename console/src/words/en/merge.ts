export const merge = {
  action: 'Merge another member',
  title: (name: string) => `Merge into ${name}`,
  intro: 'All points, wallets and names at other services move here. The old ID keeps working.',
  from: 'Member to merge',
  fromHint: 'This member no longer exists afterwards. You can undo the merge.',
  confirm: 'Merge',
  done: (from: string, to: string) => `${from} is merged into ${to}`,
  points: (amount: string, currency: string, balance: string) =>
    `${amount} ${currency} move; the balance is ${balance} then`,
  noPoints: 'No points move',
  identities: (count: number) =>
    count === 1 ? '1 name at another service moves' : `${count} names at other services move`,
  wallets: (count: number) => (count === 1 ? '1 wallet moves' : `${count} wallets move`),
  section: 'Merged members',
  undo: 'Undo',
  undoOf: (id: string) => `Undo the merge of ${id}`,
  undoTitle: (id: string) => `Undo the merge of ${id}?`,
  undoIntro: (id: string, name: string) =>
    `${id} becomes a member of its own again. Points since the merge, and names at other services, stay with ${name}.`,
  pointsBack: (amount: string, currency: string) => `${amount} ${currency} go back`,
  undone: (id: string) => `${id} is a member of its own again`,
}
