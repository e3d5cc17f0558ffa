import styles from './skeleton.module.css'

/** A grey bar where a line of text will be. `width` in any CSS unit. */
export function SkeletonLine({ width = '100%' }: { width?: string }) {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />
}
