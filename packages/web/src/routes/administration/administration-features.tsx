import { FeatureFlags } from '../../features/administration/feature-flags.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/features: feature flags of the deployment and of single users. */
export function FeaturesScreen() {
  return (
    <>
      <PageHeader
        title="Feature flags"
        note="The deployment’s value counts for everybody without one of their own. A change holds at once."
      />
      <FeatureFlags />
    </>
  )
}
