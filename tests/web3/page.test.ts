import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { base58Bytes } from '../../server/src/wallets/address.ts'
import { type ManagedRealm, managed } from '../support/manager.ts'
import { evmSigner, type Signer, solanaSigner } from '../support/signers.ts'
import { suite } from '../support/suite.ts'
import { freePort } from './node.ts'

/** The page where members sign, in a real browser, with wallets that really sign. */
const port = await freePort()
const site = `http://localhost:${port}`
const shots = fileURLToPath(new URL('../../.data/web3/', import.meta.url))

let realm: ManagedRealm
let browser: Browser
suite({ PORT: String(port), PUBLIC_URL: site }, async (suited) => {
  realm = await managed(suited, { name: 'Gold <b>&</b> Silver' })
  await realm.send('POST /members', { members: [{ id: '1190194345295482952', username: 'ann' }] })
})
const member = '1190194345295482952'

before(async () => {
  mkdirSync(shots, { recursive: true })
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync']
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [...args, '--disable-component-update', '--no-first-run'],
  })
})
after(() => browser?.close())

async function newLink(body: object = {}): Promise<string> {
  const { json } = await realm.send(`POST /members/${member}/wallets/links`, body)
  return json.url
}

type Injected = { readonly declines?: number; readonly name?: string }

const wallets = fileURLToPath(new URL('injected.js', import.meta.url))

async function inject(page: Page, wallet: object, sign: (asked: string) => string | null): Promise<void> {
  await page.exposeFunction('signHere', sign)
  await page.addInitScript({ content: `globalThis.injected = ${JSON.stringify(wallet)}` })
  await page.addInitScript({ path: wallets })
}

/** An EVM wallet that declines this many times. */
function injectEvm(
  page: Page,
  { address, sign }: Signer,
  { declines = 0, name = 'Test Wallet' }: Injected = {},
) {
  let left = declines
  return inject(page, { kind: 'evm', address, name }, (hex) => {
    left -= 1
    return left >= 0 ? null : sign(Buffer.from(hex.slice(2), 'hex').toString())
  })
}

function injectSolana(page: Page, { address, sign }: Signer) {
  const signed = (text: string) => (base58Bytes(sign(text)) ?? Buffer.alloc(0)).toString('hex')
  return inject(page, { kind: 'solana', address, name: 'Sol Wallet' }, signed)
}

/** A page that records what its security policy blocked, and which hosts it requested. */
async function opened(width: number, prepare: (page: Page) => Promise<void>) {
  const page = await browser.newPage({ viewport: { width, height: 760 } })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${site}/link/`) && !url.startsWith('data:')) faults.push(`asked ${url}`)
  })
  await prepare(page)
  return { page, faults }
}

const shot = (page: Page, name: string) => page.screenshot({ path: `${shots}${name}.png`, fullPage: true })
const walletsOf = async () => (await realm.send(`GET /web3/members/${member}`)).json.wallets

describe('the linking page', () => {
  it('links a browser wallet that signs, and returns to the given page', async () => {
    const signer = evmSigner()
    const { page, faults } = await opened(900, (one) => injectEvm(one, signer))
    await page.route('https://back.example/**', (route) => route.fulfill({ body: 'welcome back' }))
    await page.goto(await newLink({ returnUrl: 'https://back.example/done' }))
    await page.getByRole('button', { name: /Test Wallet/ }).waitFor()
    assert.match(
      await page.locator('#who').innerText(),
      /ann \(1190194345295482952\) of Gold <b>&<\/b> Silver/,
    )
    await page.getByText('Choose your wallet.').waitFor()
    await shot(page, 'choose')
    assert.deepEqual(faults, [])
    await page.getByRole('button', { name: /Test Wallet/ }).click()
    await page.getByText(`${signer.address} is linked`).waitFor()
    await shot(page, 'done')
    const linked = (await walletsOf()).find((one: { address: string }) => one.address === signer.address)
    assert.equal(linked.verified, true)
    await page.waitForURL('https://back.example/done')
    await page.close()
  })

  it('links a Solana wallet, at a phone’s width', async () => {
    const signer = solanaSigner()
    const { page, faults } = await opened(360, (one) => injectSolana(one, signer))
    await page.goto(await newLink())
    await page.getByRole('button', { name: /Sol Wallet/ }).waitFor()
    await page.getByText('Choose your wallet.').waitFor()
    await shot(page, 'phone')
    const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    assert.ok(!wide, 'the page is wider than the screen')
    const box = await page.getByRole('button', { name: /Sol Wallet/ }).boundingBox()
    assert.ok((box?.height ?? 0) >= 44, 'the button is lower than 44 pixels')
    await page.getByRole('button', { name: /Sol Wallet/ }).click()
    await page.getByText(`${signer.address} is linked`).waitFor()
    await page.getByText('You can close this page.').waitFor()
    await shot(page, 'phone-done')
    assert.deepEqual(faults, [])
    await page.close()
  })

  it('lets a member who declined try again, and shows a wallet’s name as text', async () => {
    const signer = evmSigner()
    const name = '<img src=x onerror=alert(1)>'
    const { page, faults } = await opened(360, (one) => injectEvm(one, signer, { declines: 1, name }))
    await page.goto(await newLink())
    await page.getByRole('button', { name }).click()
    await page.getByText('You declined in your wallet').waitFor()
    // A wallet that announces itself later does not replace the message.
    await page.waitForTimeout(800)
    await page.getByText('You declined in your wallet').waitFor()
    await shot(page, 'declined')
    await page.getByRole('button', { name }).click()
    await page.getByText(`${signer.address} is linked`).waitFor()
    assert.deepEqual(faults, [])
    await page.close()
  })

  it('shows a message when there is no wallet, and when the link was used', async () => {
    const { page, faults } = await opened(360, async () => {})
    const url = await newLink()
    await page.goto(url)
    await page.getByText('No wallet found in this browser').waitFor()
    await shot(page, 'no-wallet')
    await page.close()
    const signer = evmSigner()
    const second = await opened(360, (one) => injectEvm(one, signer))
    await second.page.goto(url)
    await second.page.getByRole('button', { name: /Test Wallet/ }).click()
    await second.page.getByText('is linked').waitFor()
    await second.page.goto(url)
    await second.page.getByText('This link was already used').waitFor()
    await shot(second.page, 'used')
    assert.deepEqual([...faults, ...second.faults], [])
    await second.page.close()
  })
})
