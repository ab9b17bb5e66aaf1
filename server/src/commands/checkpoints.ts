import { ConfigError } from '../config/index.ts'
import { createCheckpointKey } from '../events/checkpoints/index.ts'
import { command, print } from './command.ts'

/** Needs no database and no settings: a key can be created anywhere. */
export const checkpointCommands = [
  command(
    'checkpoint keygen <name>',
    'create a key that signs checkpoints; its name is that of the server: points.example.com',
    async ([name = '']) => {
      const key = createCheckpointKey(name)
      if (!key)
        throw new ConfigError(
          `${name} is not a valid name. Use the server’s host, such as points.example.com: ` +
            '1 to 200 letters, digits or . _ ~ : / -',
        )
      print({ CHECKPOINT_KEY: key.signer, publicKey: key.verifier })
      return undefined
    },
  ),
]
