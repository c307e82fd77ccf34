// What GraphiQL's markup lacks for assistive technology, added while it runs (GraphiQL 3.9, CodeMirror 5).

/**
 * GraphiQL's tabs are list items that contain buttons, beside one that adds a tab, in a list of tabs. Here they are a group of buttons, of
 * which one is the current one. The text areas of its editors have no label, and what they show scrolls without ever having the focus.
 */
export const mendingScript = `const set = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
const mend = () => {
  for (const tabs of document.querySelectorAll('.graphiql-tabs')) set(tabs, 'role', 'group')
  for (const tab of document.querySelectorAll('.graphiql-tab')) {
    set(tab, 'role', 'none')
    const isCurrent = tab.classList.contains('graphiql-tab-active')
    tab.removeAttribute('aria-selected')
    tab.removeAttribute('aria-controls')
    const button = tab.querySelector('.graphiql-tab-button')
    if (button) set(button, 'aria-current', String(isCurrent))
  }
  for (const text of document.querySelectorAll('section[aria-label] .CodeMirror textarea')) {
    set(text, 'aria-label', text.closest('section[aria-label]').getAttribute('aria-label'))
  }
  for (const scroller of document.querySelectorAll('.CodeMirror-scroll')) set(scroller, 'tabindex', '0')
}
new MutationObserver(mend).observe(document.getElementById('graphiql'), {
  childList: true,
  subtree: true,
  attributeFilter: ['class', 'role', 'aria-selected', 'aria-label'],
})
`
