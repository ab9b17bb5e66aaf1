/** An EVM chain in CAIP-2, as the source of a pattern: wallets do not support longer numbers. */
export const evmChain = 'eip155:[1-9][0-9]{0,15}'

const whole = new RegExp(`^${evmChain}$`)

export const isEvmChain = (text: string): boolean => whole.test(text)
