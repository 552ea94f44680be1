// Shows the heading and introduction of the view at this address until the app's script has run.
{
  const openings = [...document.querySelectorAll('template[data-path]')]
  let chosen = null
  try {
    chosen = localStorage.getItem('firmquote.language')
  } catch {
    // Without storage, the browser's languages decide.
  }
  // Must match `chooseLanguage`.
  const wanted = [chosen, ...navigator.languages.map((tag) => tag.split('-', 1)[0].toLowerCase())]
  const language = wanted.find((one) => openings.some(({ dataset }) => dataset.lang === one)) ?? 'en'
  document.documentElement.lang = language

  const path = location.hash.slice(1).split('?', 1)[0] || '/'
  const opening = openings.find(({ dataset }) => dataset.lang === language && dataset.path === path)
  if (opening) document.getElementById('root')?.append(opening.content.cloneNode(true))
}
