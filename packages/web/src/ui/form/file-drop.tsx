import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useId, useState } from 'react'
import styles from './file-drop.module.css'

/** Takes one file, dropped or chosen. `accept` as for an input of type file. */
export function FileDrop(props: { label: string; hint: string; accept: string; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const hintId = useId()

  function handleDrop(drop: DragEvent) {
    drop.preventDefault()
    setOver(false)
    const [file] = drop.dataTransfer.files
    if (file !== undefined) props.onFile(file)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is the mouse's shortcut; the field inside takes keyboard and click
    <label
      className={styles.place}
      data-over={isOver || undefined}
      onDragOver={(drag) => {
        drag.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
    >
      <IconFileUpload size={26} stroke={1.4} aria-hidden="true" />
      <span className={styles.label}>{props.label}</span>
      <span id={hintId} className={styles.hint}>
        {props.hint}
      </span>
      <input
        type="file"
        accept={props.accept}
        aria-describedby={hintId}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Allows the same file to be chosen again after it was corrected.
          currentTarget.value = ''
          if (file !== undefined) props.onFile(file)
        }}
      />
    </label>
  )
}
