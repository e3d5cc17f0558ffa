import { Card } from './card.tsx'
import styles from './form.module.css'
import { SkeletonLine } from './skeleton.tsx'

/** A form without its record, in the form's own layout. `label` is read out. */
export function FormSkeleton({ label, fields }: { label: string; fields: number }) {
  return (
    <Card>
      <div className={styles.fields} role="status" aria-label={label}>
        {Array.from({ length: fields }, (_, field) => (
          <div key={field} className={styles.bone}>
            <SkeletonLine width="90px" />
            <span />
          </div>
        ))}
      </div>
    </Card>
  )
}
