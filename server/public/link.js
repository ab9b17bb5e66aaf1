// The page where a member links a wallet. It loads and stores nothing, and calls only its own server and the
// wallets of this browser: EIP-6963 for EVM, the Wallet Standard for Solana.
// @ts-check

/** @typedef {{ name: string, icon: string, kind: string, sign: () => Promise<Signed> }} Wallet */
/** @typedef {{ address: string, message: string, signature: string }} Signed */
/** @typedef {{ request(asked: { method: string, params?: unknown[] }): Promise<any> }} EvmProvider */
/** @typedef {{ name: string, icon: string, chains: string[], accounts: any[], features: Record<string, any> }} StandardWallet */

const waitForWalletsMs = 600
const backAfterMs = 2500

/** @template {HTMLElement} T @param {string} id @param {new () => T} kind */
function element(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`no ${id}`)
  return found
}
const who = element('who', HTMLParagraphElement)
const status = element('say', HTMLParagraphElement)
const list = element('wallets', HTMLUListElement)
const back = element('back', HTMLParagraphElement)

/** @param {string} text @param {'' | 'good' | 'bad'} mood */
function say(text, mood = '') {
  status.textContent = text
  status.className = mood
}

/** Throws with the server's error text. @param {string} path @param {object} [body] */
async function ask(path, body) {
  const sent = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const answer = await fetch(`${location.pathname.replace(/\/$/, '')}/${path}`, sent)
  const json = await answer.json().catch(() => ({}))
  if (!answer.ok) throw new Error(json.detail ?? `The server returned ${answer.status}. Try again.`)
  return json
}

/** @param {string} text */
const hexOf = (text) =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** @param {EvmProvider} provider @param {{ name: string, icon: string }} info @returns {Wallet} */
function evmWallet(provider, { name, icon }) {
  const sign = async () => {
    const [address] = await provider.request({ method: 'eth_requestAccounts' })
    // A contract wallet is checked on its own chain.
    const chain = `eip155:${BigInt(await provider.request({ method: 'eth_chainId' }))}`
    const { message, address: shown } = await ask('challenges', { address, chain })
    say('Review the message in your wallet and sign it.')
    const signature = await provider.request({ method: 'personal_sign', params: [hexOf(message), address] })
    return { address: shown, message, signature }
  }
  return { name, icon, kind: 'EVM', sign }
}

/** @param {StandardWallet} wallet @returns {Wallet} */
function solanaWallet(wallet) {
  const sign = async () => {
    const { accounts } = await wallet.features['standard:connect'].connect()
    const [account] = accounts.length > 0 ? accounts : wallet.accounts
    const { message, address } = await ask('challenges', { address: account.address, chain: 'solana' })
    say('Review the message in your wallet and sign it.')
    const asked = { account, message: new TextEncoder().encode(message) }
    const [signed] = await wallet.features['solana:signMessage'].signMessage(asked)
    return { address, message, signature: btoa(String.fromCharCode(...signed.signature)) }
  }
  return { name: wallet.name, icon: wallet.icon, kind: 'Solana', sign }
}

/** @type {Map<string, Wallet>} */
const wallets = new Map()

/** @param {string} id @param {Wallet} wallet */
function found(id, wallet) {
  if (wallets.has(id) || wallets.size >= 20) return
  wallets.set(id, wallet)
  const button = document.createElement('button')
  button.type = 'button'
  if (wallet.icon.startsWith('data:image/')) {
    const icon = document.createElement('img')
    icon.src = wallet.icon
    icon.alt = ''
    button.append(icon)
  }
  const kind = document.createElement('small')
  kind.textContent = wallet.kind
  button.append(wallet.name, kind)
  button.addEventListener('click', () => void link(wallet))
  const item = document.createElement('li')
  item.append(button)
  list.append(item)
}

function discover() {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail
    found(`evm ${info.uuid}`, evmWallet(provider, info))
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const register = (/** @type {StandardWallet[]} */ ...given) => {
    for (const wallet of given) {
      const { chains, features } = wallet
      const signs = features['standard:connect'] && features['solana:signMessage']
      if (signs && chains.some((chain) => chain.startsWith('solana:')))
        found(`solana ${wallet.name}`, solanaWallet(wallet))
    }
    return () => {}
  }
  const api = Object.freeze({ register })
  window.addEventListener('wallet-standard:register-wallet', (event) =>
    /** @type {CustomEvent} */ (event).detail(api),
  )
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}

let chosen = false

/** Browsers inside wallets often support only the old API. */
function older() {
  if (chosen) return
  const { ethereum } = /** @type {{ ethereum?: EvmProvider }} */ (/** @type {unknown} */ (window))
  if (wallets.size === 0 && ethereum) found('evm', evmWallet(ethereum, { name: 'Browser wallet', icon: '' }))
  if (wallets.size === 0)
    say('No wallet found in this browser. On a phone, open this page in your wallet’s own browser.')
  else say('Choose your wallet.')
}

/** @param {boolean} disabled */
function rest(disabled) {
  for (const button of list.querySelectorAll('button')) button.disabled = disabled
}

/** @param {Wallet} wallet */
async function link(wallet) {
  chosen = true
  rest(true)
  try {
    say(`Connecting to ${wallet.name} …`)
    const { address, returnUrl } = await ask('wallets', await wallet.sign())
    list.replaceChildren()
    say(`Done: ${address} is linked.`, 'good')
    if (returnUrl) sendBack(returnUrl)
    else back.textContent = 'You can close this page.'
  } catch (error) {
    say(wordsOf(error), 'bad')
    rest(false)
  }
}

/** @param {string} url */
function sendBack(url) {
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.textContent = `Back to ${new URL(url).host}`
  back.append(anchor)
  setTimeout(() => location.assign(url), backAfterMs)
}

/** @param {unknown} error */
function wordsOf(error) {
  const { code, message } = /** @type {{ code?: unknown, message?: string }} */ (error ?? {})
  if (code === 4001) return 'You declined in your wallet. Nothing was linked.'
  return message || 'The wallet did not respond. Try again.'
}

async function begin() {
  try {
    const { realmName, member, memberName } = await ask('details')
    who.textContent = `to ${memberName ? `${memberName} (${member})` : `member ${member}`} of ${realmName}`
    discover()
    say('Looking for wallets …')
    setTimeout(older, waitForWalletsMs)
  } catch (error) {
    who.textContent = ''
    say(wordsOf(error), 'bad')
  }
}

void begin()
