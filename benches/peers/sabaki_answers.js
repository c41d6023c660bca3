// Answers of a program that reads games with @sabaki/sgf, and plays them with @sabaki/go-board: a question and a file.
const sgf = require('@sabaki/sgf')
const [question, path] = process.argv.slice(2)
const games = sgf.parseFile(path)

/** The moves of the main line: a color and the text of a point. */
function* moves(game) {
  for (let node = game; node; node = node.children[0]) {
    for (const color of ['B', 'W']) if (node.data[color]) yield [color, node.data[color][0]]
  }
}

/** The name that comes most often, the first of them by its text, and how often. */
function most(names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) || 0) + 1)
  const [first] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  console.log(first.join(','))
}

if (question === 'games') {
  console.log(games.length)
} else if (question === 'player') {
  most(games.map((game) => (game.data.PB || [''])[0]))
} else if (question === 'opening') {
  const first = (game) => [...moves(game)].slice(0, 8)
  most(games.map((game) => first(game).map(([, point]) => point || 'pass').join(' ')))
} else if (question === 'repeated') {
  const setup = ({ data }) => ['SZ', 'AB', 'AW', 'AE'].map((name) => data[name])
  console.log(games.length - new Set(games.map((game) => JSON.stringify([...moves(game), setup(game)]))).size)
} else if (question === 'position') {
  const Board = require('@sabaki/go-board')
  const vertex = ([column, row]) => [column.charCodeAt(0) - 97, row.charCodeAt(0) - 97]
  const play = (board, [color, point]) =>
    board.makeMove(color === 'B' ? 1 : -1, /^[a-s]{2}$/.test(point) ? vertex(point) : [-1, -1])
  const start = (game) => {
    const board = Board.fromDimensions(Number((game.data.SZ || ['19'])[0]))
    for (const [ident, sign] of [['AB', 1], ['AW', -1]]) {
      for (const point of game.data[ident] || []) board.set(vertex(point), sign)
    }
    return board
  }
  const picture = (board) => board.signMap.join()
  const wanted = picture(['Bpd', 'Wdp', 'Bpp', 'Wdd'].reduce((board, [color, ...point]) => play(board, [color, point.join('')]), Board.fromDimensions(19)))
  let found = 0
  for (const game of games) {
    let board = start(game)
    for (const move of moves(game)) {
      board = play(board, move)
      if (picture(board) === wanted) {
        found += 1
        break
      }
    }
  }
  console.log(found)
}
