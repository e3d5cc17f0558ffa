import { FeatureFlags } from '../../features/administration/feature-flags.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/features: feature flags of the deployment and of single users. */
export function FeaturesScreen() {
  return (
    <>
      <PageHeader
        title="Feature flags"
        note="A user’s own value overrides the deployment’s. Changes apply immediately."
      />
      <FeatureFlags />
    </>
  )
}
