import { closeSync, openSync, writeSync } from 'node:fs'

/** Snowflakes; some names with quotes, a wallet for each tenth, a second point type for each third. */
export function someone(index: number) {
  const id = 1_190_194_345_295_000_001n + BigInt(index) * 4_194_307n
  return {
    // About one in ten thousand would look like an id that a spreadsheet rounded.
    id: id % 10n === 0n ? id + 1n : id,
    username: `fox${index}`,
    displayName: index % 100 === 0 ? `Fox "${index}", the` : `Fox ${index}`,
    wallet: index % 10 === 0 ? `0x${(index + 1).toString(16).padStart(40, '0')}` : '',
    gold: 1 + (index % 1000),
    silver: index % 3 === 0 ? 7 : '',
  }
}

function lineOf(index: number): string {
  const { id, username, displayName, wallet, gold, silver } = someone(index)
  const name = displayName.includes('"') ? `"${displayName.replaceAll('"', '""')}"` : displayName
  return `${id},${username},${name},${wallet},${gold},${silver}\n`
}

/** A file of `count` members with their balances in gold, the default, and silver. */
export function writeCrowd(file: string, rows: number): void {
  const out = openSync(file, 'w')
  writeSync(out, 'id,username,displayName,wallet,balance,balance:silver\n')
  for (let from = 0; from < rows; from += 10_000) {
    let text = ''
    for (let index = from; index < Math.min(rows, from + 10_000); index += 1) text += lineOf(index)
    writeSync(out, text)
  }
  closeSync(out)
}
