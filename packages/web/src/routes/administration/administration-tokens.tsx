import { ApiTokens } from '../../features/administration/api-tokens.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/tokens */
export function TokensScreen() {
  return (
    <>
      <PageHeader title="API tokens" />
      <ApiTokens />
    </>
  )
}
