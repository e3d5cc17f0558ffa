import type { EventTotals } from '@benchwatch/contract/service-events'
import styles from './totals-line.module.css'

const parts = [
  { key: 'events', one: 'event', many: 'events' },
  { key: 'instruments', one: 'instrument', many: 'instruments' },
  { key: 'components', one: 'component', many: 'components' },
  { key: 'customers', one: 'customer', many: 'customers' },
  { key: 'locations', one: 'location', many: 'locations' },
] as const

/** What the whole result holds, not only this page; and how many open events stand before the range, one click away. */
export function TotalsLine(props: { total: EventTotals | undefined; onShowOlder: () => void }) {
  const { total } = props
  const older = total?.olderOpenEvents ?? 0
  return (
    <p className={styles.line} data-testid="totals">
      {parts.map(({ key, one, many }) => (
        <span key={key}>
          <strong>{total === undefined ? '–' : total[key].toLocaleString('en')}</strong>{' '}
          {total?.[key] === 1 ? one : many}
        </span>
      ))}
      {older > 0 && (
        <button type="button" className={styles.older} onClick={props.onShowOlder}>
          <span>
            {older.toLocaleString('en')} open {older === 1 ? 'event is' : 'events are'} older
          </span>
        </button>
      )}
    </p>
  )
}
