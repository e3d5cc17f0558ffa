import type { FeatureContext } from '../context.ts'
import { cognitoProvider } from './cognito-provider.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { localProvider } from './local-provider.ts'
import { oidcProvider } from './oidc-provider.ts'

/** Who proves identities in this deployment, by its configuration. */
export function createProvider(needs: Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>): IdentityProvider {
  const { identity } = needs.config
  switch (identity.provider) {
    case 'local':
      return localProvider(needs)
    case 'cognito':
      return cognitoProvider(identity, needs)
    case 'oidc':
      return oidcProvider(identity)
  }
}
