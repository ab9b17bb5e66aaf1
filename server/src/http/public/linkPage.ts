import { hash as digest } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Reply } from '../problem.ts'
import { ok } from '../problem.ts'
import { publicRoute } from '../route/route.ts'
import { date, memberIdAnswer, nullable, Type } from '../route/schemas.ts'
import { challengeAnswer, challengeBody, signedFields, walletAddress } from '../v4/walletRoutes.ts'

/** The page where a member links a wallet, and its requests. The link is the only credential. */
const read = (name: string): string =>
  readFileSync(new URL(`../../../public/${name}`, import.meta.url), 'utf8')

/** The page loads nothing, and runs only its inline script. Icons come from wallets, as data URLs. */
function page(): Reply {
  const style = read('link.css')
  const script = read('link.js')
  const sha = (text: string) => `'sha256-${digest('sha256', text, 'base64')}'`
  const policy = [
    "default-src 'none'",
    `script-src ${sha(script)}`,
    `style-src ${sha(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const html = read('link.html')
    .replace('/* style */', () => style)
    .replace('/* script */', () => script)
  return {
    status: 200,
    body: Buffer.from(html),
    type: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': policy,
      // The link is a secret.
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

const thePage = page()

const params = {
  token: Type.String({ minLength: 1, maxLength: 128, description: 'The token at the end of the link.' }),
}

const open = publicRoute(
  {
    operationId: 'openLinkPage',
    tag: 'Wallet links',
    methods: ['GET'],
    path: '/link/{token}',
    summary: 'Open the page where a member links a wallet',
    params,
    writes: false,
    answerType: 'text/html',
  },
  () => thePage,
)

const detailFields = {
  realmId: Type.String(),
  realmName: Type.String(),
  member: memberIdAnswer,
  memberName: nullable(Type.String()),
  returnUrl: nullable(Type.String()),
  expiresAt: date,
}

const details = publicRoute(
  {
    operationId: 'getLinkDetails',
    tag: 'Wallet links',
    methods: ['GET'],
    path: '/link/{token}/details',
    summary: 'Read the member that the link is for',
    params,
    writes: false,
    answer: Type.Object(detailFields),
    refusals: ['link_not_found'],
  },
  async ({ params: { token } }, { pageLinks }) => {
    const { realm: _, ...shown } = await pageLinks.open(token)
    return ok(shown)
  },
)

const challenges = publicRoute(
  {
    operationId: 'createLinkChallenge',
    tag: 'Wallet links',
    methods: ['POST'],
    path: '/link/{token}/challenges',
    summary: 'Create a challenge for the wallet’s owner to sign',
    params,
    writes: true,
    body: challengeBody,
    answer: challengeAnswer,
    refusals: ['link_not_found', 'realm_suspended'],
  },
  async ({ params: { token }, body }, { pageLinks }) => ok(await pageLinks.challenge(token, body)),
)

const wallets = publicRoute(
  {
    operationId: 'linkWalletByPage',
    tag: 'Wallet links',
    methods: ['POST'],
    path: '/link/{token}/wallets',
    summary: 'Link the wallet and use up the link',
    params,
    writes: true,
    body: Type.Object(
      { address: walletAddress, ...signedFields },
      { description: 'A JSON object with address, message and signature.' },
    ),
    answer: Type.Object({ address: Type.String(), returnUrl: nullable(Type.String()) }),
    refusals: ['link_not_found', 'realm_suspended', 'already_exists', 'proof_refused', 'chain_unavailable'],
  },
  async ({ params: { token }, body, by }, { pageLinks, holdings }) => {
    const { returnUrl, realm } = await pageLinks.prove(token, body, by())
    holdings.soon(realm)
    return ok({ address: body.address, returnUrl })
  },
)

export const linkPageRoutes = [open, details, challenges, wallets]
