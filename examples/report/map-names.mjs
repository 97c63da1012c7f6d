// The page's own part: writes names beside the points of the map where they cover nothing.
const points = [...document.querySelectorAll('#points a')]
const names = points.map((point) => point.firstElementChild)
/** Pixels between a point and its name. */
const GAP = 3

/** Where a name may stand beside its point, by the class that puts it there; the first that is free. */
const SIDES = {
  east: ({ right, middle }, { height }) => [right + GAP, middle - height / 2],
  west: ({ left, middle }, { width, height }) => [left - GAP - width, middle - height / 2],
  north: ({ centre, top }, { width, height }) => [centre - width / 2, top - height],
  south: ({ centre, bottom }, { width }) => [centre - width / 2, bottom],
}

for (const name of names) name.hidden = false
const sizes = names.map((name) => name.getBoundingClientRect())

function nameThem() {
  const frame = document.getElementById('points').getBoundingClientRect()
  const boxes = points.map((point) => point.getBoundingClientRect())
  const taken = [...boxes]
  for (const [i, { left, right, top, bottom }] of boxes.entries()) {
    const { width, height } = sizes[i]
    const point = {
      left,
      right,
      top,
      bottom,
      centre: (left + right) / 2,
      middle: (top + bottom) / 2,
    }
    const side = Object.keys(SIDES).find((side) => {
      const [x, y] = SIDES[side](point, { width, height })
      const box = { left: x, right: x + width, top: y, bottom: y + height }
      const free = inside(box, frame) && !taken.some((other) => meet(box, other))
      if (free) taken.push(box)
      return free
    })
    names[i].hidden = side === undefined
    names[i].className = side ?? ''
  }
}

function inside(box, { left, right, top, bottom }) {
  return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom
}

function meet(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

new ResizeObserver(nameThem).observe(document.getElementById('points'))
