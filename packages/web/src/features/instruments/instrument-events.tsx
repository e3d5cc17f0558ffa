import type { InstrumentWithEvents } from '@benchwatch/contract/instruments'
import { useState } from 'react'
import { ShortEventTable } from '../service-events/short-event-table.tsx'
import { useViewer } from '../service-events/use-viewer.ts'
import styles from './instrument-events.module.css'
import { instrumentEventsAddress } from './instrument-events-address.ts'

/** So many rows stand there at first: what comes below stays within reach. */
const FIRST_ROWS = 8

/** The open events of an instrument, newest first, with the way to all of them. They follow live messages. */
export function InstrumentEvents({ instrument }: { instrument: InstrumentWithEvents }) {
  const { events, eventCount } = instrument
  const viewer = useViewer()
  const [isWhole, setWhole] = useState(false)
  if (events.length === 0) return <p className={styles.message}>No open events on this instrument.</p>
  const hidden = isWhole ? 0 : Math.max(0, events.length - FIRST_ROWS)
  return (
    <>
      <ShortEventTable
        rows={hidden > 0 ? events.slice(0, FIRST_ROWS) : events}
        viewer={viewer}
        showsInstrument={false}
        isStale={false}
      />
      <div className={styles.foot}>
        {hidden > 0 && (
          <button type="button" className={styles.more} onClick={() => setWhole(true)}>
            Show {hidden} more
          </button>
        )}
        <a href={instrumentEventsAddress(instrument)}>
          {eventCount > events.length ? `See all ${eventCount.toLocaleString('en')}` : 'See them'} in the list of events
        </a>
      </div>
    </>
  )
}
