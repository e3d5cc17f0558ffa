import { describe, expect, it } from 'vitest'
import { sanitiseHtml } from './sanitise-html.ts'

describe('HTML of event templates', () => {
  it('keeps structure', () => {
    const html =
      '<ol><li>Check <strong>pump B</strong><br />twice</li></ol><table><tr><td colspan="2">x</td></tr></table><code>P9-B</code>'
    expect(sanitiseHtml(html)).toBe(html)
  })

  it('keeps https links and closes them off', () => {
    expect(sanitiseHtml('<a href="https://x.example/a?b=1" target="_blank" onclick="x()">manual</a>')).toBe(
      '<a href="https://x.example/a?b=1" rel="noopener">manual</a>',
    )
  })

  it.each([
    ['<script>alert(1)</script>safe', 'safe'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<svg><script>alert(1)</script></svg>', ''],
    ['<style>*{display:none}</style>x', 'x'],
    ['<p onclick="x()" style="position:fixed">x</p>', '<p>x</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java&#10;script:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="http://x.example">x</a>', '<a>x</a>'],
    ['<a href="//x.example">x</a>', '<a>x</a>'],
    ['<iframe src="https://x.example"></iframe>', ''],
    ['1 < 2 & 3', '1 &lt; 2 &amp; 3'],
    ['<p>unclosed', '<p>unclosed</p>'],
  ])('makes %s harmless', (html, safe) => {
    expect(sanitiseHtml(html)).toBe(safe)
  })
})
