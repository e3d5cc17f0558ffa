import { PageHeader } from '../../ui/page-header.tsx'

/** One instrument, whole. */
export function InstrumentDetails({ instrumentId }: { instrumentId: string }) {
  return <PageHeader title={instrumentId} />
}
