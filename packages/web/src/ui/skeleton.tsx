import styles from './skeleton.module.css'

/** A grey bar where a line of text will be. `width` in any CSS unit. */
export function SkeletonLine({ width = '100%' }: { width?: string }) {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />
}

/** Rows as tall as the real ones, so that nothing jumps when they arrive. Say "Loading" elsewhere: this is silent. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden="true">
      {Array.from({ length: columns }, (_unused, column) => (
        <td key={column}>
          {/* Uneven widths read as text; computed, so that the picture is the same each time. */}
          <SkeletonLine width={`${45 + ((row * 7 + column * 13) % 5) * 10}%`} />
        </td>
      ))}
    </tr>
  ))
}
