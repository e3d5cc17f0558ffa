import { useParams } from '@tanstack/react-router'
import { InstrumentDetails } from '../features/instruments/instrument-details.tsx'

/** /instruments/{instrumentId}: one instrument, by its id or its installed product id. */
export function InstrumentDetailsScreen() {
  const { instrumentId = '' } = useParams({ strict: false })
  return <InstrumentDetails key={instrumentId} instrumentId={instrumentId} />
}
