import { InstrumentList } from '../features/instruments/instrument-list.tsx'

/** /instruments: the address is the truth of what is shown. */
export function InstrumentsScreen() {
  return <InstrumentList />
}
