import type { Directory } from '../cells/index.ts'
import { checkKeys, eitherOf, type KeySecret } from '../keys/index.ts'
import { checkSessionKeys, checkSessionTokens } from './check.ts'
import { checkOperators } from './operators.ts'

/** How often the time of a key's last use is stored. */
export const storeUseEverySeconds = 60

/** Authentication; the time of last use is stored periodically. */
export function openChecks(directory: Directory, keySecrets: readonly KeySecret[], onStored: () => void) {
  const { db, own } = directory
  const keys = checkKeys(own, keySecrets, directory)
  const operators = checkOperators(db, keySecrets)
  const storeUse = () => Promise.all([keys.storeUse(), operators.storeUse()]).then(onStored, () => {})
  const timer = setInterval(() => void storeUse(), storeUseEverySeconds * 1000).unref()
  return {
    keys: eitherOf(keys, checkSessionKeys(directory, keySecrets)),
    operators: eitherOf(operators, checkSessionTokens(db, keySecrets)),
    async close() {
      clearInterval(timer)
      await storeUse()
    },
  }
}
