import { useQuery } from '@tanstack/react-query'
import { PRODUCT_NAME, productQuery } from '../lib/page-settings.ts'
import { formatEventTime, formatZone } from '../lib/time/dates.ts'
import styles from './print-head.module.css'
import { usePrinting } from './use-printing.ts'

/** Print header: product, print date and active filters. Hidden on screen. */
export function PrintHead({ narrowedBy = [] }: { narrowedBy?: readonly string[] }) {
  const printedAt = usePrinting()
  const product = useQuery(productQuery()).data?.product ?? PRODUCT_NAME
  if (printedAt === null) return null
  return (
    <p className={styles.head}>
      <strong>{product}</strong>
      <span className={styles.narrowed}>{narrowedBy.join(' · ')}</span>
      <span>
        Printed {formatEventTime(printedAt)}, {formatZone(printedAt)}
      </span>
    </p>
  )
}
