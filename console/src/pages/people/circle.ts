import type { InvitationData, OperatorInvitation, Role, SignInLink } from '@exchequer/sdk'
import type { QueryKey } from '@tanstack/react-query'

/** A group that people can be invited to: the team of a realm, or the operators. */
export type Circle = {
  /** Cache key. */
  readonly key: QueryKey
  /** Whether its people have roles, as in a realm. */
  readonly hasRoles: boolean
  readonly invite: (given: InvitationInput) => Promise<{ name: string; link: string; expiresAt: string }>
  readonly invitations: () => Promise<readonly (InvitationData | OperatorInvitation)[]>
  readonly withdraw: (invitation: string) => Promise<unknown>
  readonly link: (person: string) => Promise<SignInLink>
}

export type InvitationInput = { readonly name: string; readonly email?: string; readonly role: Role }

/** A link to show once. */
export type MadeLink = { readonly title: string; readonly link: string; readonly expiresAt: string }
export type OnCreate = (made: MadeLink) => void
