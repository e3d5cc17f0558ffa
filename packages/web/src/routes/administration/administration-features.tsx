import { FeatureFlags } from '../../features/administration/feature-flags.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/features: what is switched on for everybody, and for whom it is otherwise. */
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
