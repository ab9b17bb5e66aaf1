import { hash as digest } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Reply } from '../problem.ts'
import { ok } from '../problem.ts'
import { publicRoute } from '../route/route.ts'
import { date, memberIdAnswer, nullable, Type } from '../route/schemas.ts'
import { challengeAnswer, challengeBody, signedFields, walletAddress } from '../v4/walletRoutes.ts'

/** The page where a member links a wallet, and what it asks for. Whoever has its link is let in. */
const read = (name: string): string =>
  readFileSync(new URL(`../../../public/${name}`, import.meta.url), 'utf8')

/** Nothing is loaded, and nothing runs but what stands in the page. Icons come from wallets, as data. */
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
  token: Type.String({ minLength: 1, maxLength: 128, description: 'What a link to the page ends with.' }),
}

const open = publicRoute(
  {
    operationId: 'openLinkPage',
    tag: 'Wallet links',
    methods: ['GET'],
    path: '/link/{token}',
    summary: 'The page where a member links a wallet',
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
    summary: 'What the page shows: to whom a wallet will be linked',
    params,
    writes: false,
    answer: Type.Object(detailFields),
    refusals: ['link_not_found'],
  },
  async ({ params: { token = '' } }, { pageLinks }) => {
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
    summary: 'Ask, on the page, for a text that the wallet’s owner signs',
    params,
    writes: true,
    body: challengeBody,
    answer: challengeAnswer,
    refusals: ['link_not_found'],
  },
  async ({ params: { token = '' }, body }, { pageLinks }) => ok(await pageLinks.challenge(token, body)),
)

const wallets = publicRoute(
  {
    operationId: 'linkWalletByPage',
    tag: 'Wallet links',
    methods: ['POST'],
    path: '/link/{token}/wallets',
    summary: 'Link the wallet, on the page. It uses the link up',
    params,
    writes: true,
    body: Type.Object(
      { address: walletAddress, ...signedFields },
      { description: 'A JSON object with address, message and signature.' },
    ),
    answer: Type.Object({ address: Type.String(), returnUrl: nullable(Type.String()) }),
    refusals: ['link_not_found', 'already_exists', 'proof_refused', 'chain_unavailable'],
  },
  async ({ params: { token = '' }, body, by }, { pageLinks, holdings }) => {
    const { returnUrl, realm } = await pageLinks.prove(token, body, by())
    holdings.soon(realm)
    return ok({ address: body.address, returnUrl })
  },
)

export const linkPageRoutes = [open, details, challenges, wallets]
