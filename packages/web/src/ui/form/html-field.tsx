import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { RichText } from '../text/rich-text.tsx'
import { hintBelow } from './code-field.tsx'
import styles from './html-field.module.css'

/** An HTML editor with a preview, sanitised like the pages that show it. */
export function HtmlField(props: {
  label: string
  value: string
  maxLength: number
  description?: ReactNode
  error?: string | undefined
  required?: boolean
  onChange: (html: string) => void
}) {
  const { label, value } = props
  return (
    <div data-wide className={styles.field}>
      <Textarea
        label={label}
        description={props.description}
        error={props.error}
        required={props.required === true}
        inputWrapperOrder={hintBelow}
        autosize
        minRows={5}
        maxRows={16}
        maxLength={props.maxLength}
        spellCheck={false}
        value={value}
        classNames={{ input: styles.source ?? '' }}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      />
      <section className={styles.preview} aria-label={`${label}, preview`}>
        <p className={styles.head}>Preview</p>
        {value.trim() === '' ? <p className={styles.quiet}>Nothing yet</p> : <RichText html={value} />}
      </section>
    </div>
  )
}
