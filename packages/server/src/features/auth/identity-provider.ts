/** What somebody typed to prove who they are. */
export interface Credentials {
  userId: string
  password: string
}

/**
 * Who somebody is, as a provider vouches for it: the login of an account here. What the account may do, and whether
 * it is disabled, is never the provider's business.
 */
export interface Identity {
  login: string
}

/**
 * The one door behind which identities are proven. Sessions are this server's own for every provider, so a provider
 * keeps nothing after its answer. A further step, such as a code, becomes a second kind of answer beside `identity`.
 */
export interface IdentityProvider {
  readonly kind: 'local' | 'cognito' | 'oidc'
  /** Throws ProblemError `bad-credentials`, the same and after the same time for a wrong name and a wrong password. */
  signIn(credentials: Credentials): Promise<{ kind: 'identity'; identity: Identity }>
}
