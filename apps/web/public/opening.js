// Shows the heading and introduction of the view at this address until the app's script has run.
{
  const path = location.hash.slice(1).split('?', 1)[0] || '/'
  for (const opening of document.querySelectorAll('template[data-path]')) {
    if (opening.dataset.path === path) document.getElementById('root')?.append(opening.content.cloneNode(true))
  }
}
