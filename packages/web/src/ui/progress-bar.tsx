import styles from './progress-bar.module.css'

/** How far long work has come, of `max`; without a value nobody knows. */
export function ProgressBar({ label, value, max }: { label: string; value: number | null; max: number }) {
  return <progress className={styles.bar} aria-label={label} max={max} value={value ?? undefined} />
}
