import type { FeatureContext } from '../../context.ts'
import type { IdentityProvider } from './identity-provider.ts'

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>

/** Creates the configured identity provider. Loads only that one: Amazon's client takes 25 MB. */
export async function createProvider(needs: Needs): Promise<IdentityProvider> {
  const { identity } = needs.config
  switch (identity.provider) {
    case 'local':
      return (await import('./local-provider.ts')).localProvider(needs)
    case 'cognito':
      return (await import('./cognito-provider.ts')).cognitoProvider(identity, needs)
    case 'oidc':
      return (await import('./oidc-provider.ts')).oidcProvider(identity)
  }
}
