import { PageHeader } from '../../ui/page-header.tsx'

/** The System Report of an instrument; fe: for field engineers, qs: for qualification services. */
export function SystemReport(props: { instrumentId: string; reportType: 'fe' | 'qs' }) {
  return <PageHeader title={`${props.instrumentId} ${props.reportType}`} />
}
