import { paper, type Sign } from './paper.ts'
import styles from './report-sign.module.css'

/** Colour and shape; the word stands beside it. */
export function ReportSign({ sign: { colour, shape, isHollow } }: { sign: Sign }) {
  return (
    <svg className={styles.sign} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d={shape} fill={isHollow ? paper.sheet : colour} stroke={colour} strokeWidth={isHollow ? 1.6 : 0} />
    </svg>
  )
}
