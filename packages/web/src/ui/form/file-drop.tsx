import { Stack, Text } from '@mantine/core'
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
    // Dropping is the mouse's shortcut; the field inside takes keyboard and click.
    <Stack
      component="label"
      className={styles.place}
      pos="relative"
      align="center"
      gap={3}
      p="30px 20px"
      c="dimmed"
      bd="1.5px dashed var(--bw-line-strong)"
      style={{ borderRadius: 12, cursor: 'pointer' }}
      data-over={isOver || undefined}
      onDragOver={(drag) => {
        drag.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
    >
      <IconFileUpload size={26} stroke={1.4} aria-hidden="true" />
      <Text span mt={6} fw={570} c="var(--bw-ink-1)">
        {props.label}
      </Text>
      <Text span id={hintId} ta="center">
        {props.hint}
      </Text>
      <input
        type="file"
        accept={props.accept}
        aria-describedby={hintId}
        style={{ position: 'absolute', inset: 0, opacity: 0, cursor: 'pointer' }}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Allows the same file to be chosen again after it was corrected.
          currentTarget.value = ''
          if (file !== undefined) props.onFile(file)
        }}
      />
    </Stack>
  )
}
