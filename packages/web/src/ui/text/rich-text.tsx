import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import styles from './rich-text.module.css'

/**
 * Shows HTML from a template. The server sanitises it on input; it is sanitised again here in case it was stored under
 * weaker rules. No styles, forms or external images.
 */
export function RichText({ html, className }: { html: string; className?: string | undefined }) {
  const clean = useMemo(
    () =>
      DOMPurify.sanitize(html, {
        ALLOWED_TAGS: [
          'p',
          'br',
          'b',
          'strong',
          'i',
          'em',
          'u',
          'ul',
          'ol',
          'li',
          'a',
          'h3',
          'h4',
          'code',
          'sub',
          'sup',
          'table',
          'thead',
          'tbody',
          'tr',
          'th',
          'td',
        ],
        ALLOWED_ATTR: ['href'],
        ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
      }),
    [html],
  )
  return (
    <div className={[styles.text, className].filter(Boolean).join(' ')} dangerouslySetInnerHTML={{ __html: clean }} />
  )
}
