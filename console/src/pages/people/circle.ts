import type { InvitationData, OperatorInvitation, Role, SignInLink } from '@exchequer/sdk'
import type { QueryKey } from '@tanstack/react-query'

/** Whom one can invite to what: the people of a realm, or the operators. */
export type Circle = {
  /** Where what is known of it is kept. */
  readonly key: QueryKey
  /** With a role for each, as in a realm. */
  readonly hasRoles: boolean
  readonly invite: (given: Invited) => Promise<{ name: string; link: string; expiresAt: string }>
  readonly invitations: () => Promise<readonly (InvitationData | OperatorInvitation)[]>
  readonly withdraw: (invitation: string) => Promise<unknown>
  readonly link: (person: string) => Promise<SignInLink>
}

export type Invited = { readonly name: string; readonly email?: string; readonly role: Role }

/** A link as it is shown, once. */
export type MadeLink = { readonly title: string; readonly link: string; readonly expiresAt: string }
export type OnMade = (made: MadeLink) => void
