/** The link to the page where a member verifies a wallet. */
export const walletLink = {
  create: 'Create wallet link',
  again: 'Create another link',
  title: (name: string) => `Wallet link for ${name}`,
  label: 'Link',
  warning: (name: string, until: string) =>
    `This link is shown once. Send it only to ${name}: anyone who opens it can link a wallet to them. ` +
    `It works once, until ${until}.`,
  pending: (until: string) => `Waiting for a signature. The link works until ${until}.`,
  expired: (until: string) => `The link expired at ${until}.`,
  used: (name: string) => `${name} has verified a wallet`,
}
