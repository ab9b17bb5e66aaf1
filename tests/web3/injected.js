// Browser wallets for the tests of the linking page. The test process has their keys and signs.
// Run in the page, before its own script; `injected` selects them.

/** As EIP-6963 says. */
function announce({ address, name }) {
  const request = async ({ method, params = [] }) => {
    if (method === 'eth_requestAccounts') return [address.toLowerCase()]
    if (method === 'eth_chainId') return '0x1'
    const signed = method === 'personal_sign' ? await globalThis.signHere(params[0]) : null
    if (signed === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    return signed
  }
  const square = '<rect width="8" height="8" fill="teal"/>'
  const icon = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${square}</svg>`
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, icon, rdns: 'test.wallet' }
  const detail = Object.freeze({ info, provider: { request } })
  const dispatch = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
}

/** As the Wallet Standard says. */
function register({ address, name }) {
  const account = { address, publicKey: new Uint8Array(32), chains: ['solana:mainnet'], features: [] }
  const signMessage = async ({ message }) => {
    const hex = await globalThis.signHere(new TextDecoder().decode(message))
    return [
      { signedMessage: message, signature: Uint8Array.from(hex.match(/../g), (one) => parseInt(one, 16)) },
    ]
  }
  const wallet = {
    version: '1.0.0',
    name,
    icon: '',
    chains: ['solana:mainnet'],
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signMessage': { version: '1.0.0', signMessage },
    },
  }
  const callback = (api) => api.register(wallet)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  window.addEventListener('wallet-standard:app-ready', (event) => callback(event.detail))
}

const { kind, ...wallet } = globalThis.injected
if (kind === 'evm') announce(wallet)
else register(wallet)
