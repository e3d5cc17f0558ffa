import { PageHeader } from '../../ui/page-header.tsx'

/** The list of instruments. */
export function InstrumentList() {
  return <PageHeader title="Instruments" />
}
