// Shows how the view at this address begins, until the page's own script has run.
{
  const path = location.hash.slice(1).split('?', 1)[0] || '/'
  for (const opening of document.querySelectorAll('template[data-path]')) {
    if (opening.dataset.path === path) document.getElementById('root')?.append(opening.content.cloneNode(true))
  }
}
