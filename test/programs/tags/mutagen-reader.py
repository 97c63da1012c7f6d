"""Reads the tags of files by mutagen: a path a line in, a line of JSON out."""
import hashlib, json, re, sys
import mutagen, mutagen.aac, mutagen.aiff, mutagen.apev2, mutagen.flac, mutagen.id3, mutagen.mp4, mutagen.wave

ASKED = {'BPM', 'INITIALKEY', 'MOOD', 'COMMENT'}
PREFIXES = ('REPLAYGAIN_', 'R128_')


def is_asked(name):
    name = name.upper()
    return name in ASKED or name.startswith(PREFIXES)


def short(value):
    return hashlib.md5(repr(value).encode('utf-8', 'surrogatepass')).hexdigest()[:12]


class Seen:
    def __init__(self):
        self.others, self.asked, self.errors, self.kinds = [], {}, [], []

    def add(self, kind, name, value, tag=None, text=None):
        if tag:
            self.asked.setdefault(tag.upper(), []).append(text)
        else:
            self.others.append([kind, name, short(value)])


def see_id3(seen, tag):
    if tag.version[1] == 3 and tag.f_unsynch and tag.f_extended:
        # mutagen reads such a tag too far, and then as if it were not unsynchronised.
        seen.errors.append('unsynchronised behind an extended header')
        return
    seen.kinds.append('ID3v2')
    for key, frame in tag.items():
        text = None
        name = {'TBPM': 'BPM', 'TKEY': 'INITIALKEY', 'TMOO': 'MOOD'}.get(frame.FrameID)
        if name:
            text = str(frame)
        elif frame.FrameID == 'TXXX' and is_asked(frame.desc):
            name, text = frame.desc, (frame.text or [''])[0]
        elif frame.FrameID == 'COMM' and frame.desc == '':
            name, text = 'COMMENT', (frame.text or [''])[0]
        seen.add('ID3v2', key, frame, name, text)
    for raw in tag.unknown_frames:
        seen.add('ID3v2', 'unknown', raw)


def see_vorbis(seen, tags):
    seen.kinds.append('comments')
    for key, value in tags:
        # A comment without a name is named by its number.
        key = re.sub(r'^unknown\d+$', 'unknown', key)
        seen.add('comments', key, value, key if is_asked(key) else None, value)


def see_mp4(seen, file):
    for chapter in file.chapters or []:
        seen.add('chapters', chapter.title, chapter.start)
    if file.tags is None:
        return
    seen.kinds.append('ilst')
    for key, values in file.tags.items():
        name = {'tmpo': 'BPM', '\xa9cmt': 'COMMENT'}.get(key)
        if name is None and key.lower().startswith('----:com.apple.itunes:') and is_asked(key[22:]):
            name = key[22:]
        first = values[0] if isinstance(values, list) and values else values
        text = bytes(first).decode('utf-8', 'replace') if isinstance(first, bytes) else str(first)
        shown = [(v, getattr(v, 'imageformat', None), getattr(v, 'dataformat', None)) for v in values] if isinstance(values, list) else values
        seen.add('ilst', key, shown, name, text)
    for key, values in file.tags._failed_atoms.items():
        seen.add('ilst', key, values)


def see_ape(seen, path):
    try:
        tag = mutagen.apev2.APEv2(path)
    except mutagen.apev2.APENoHeaderError:
        return
    seen.kinds.append('APE')
    for key, value in tag.items():
        if not is_asked(key):
            seen.add('APE', key, (value.kind, value.value))


def see(path):
    seen = Seen()

    def attempt(step):
        try:
            step()
        except Exception as error:
            seen.errors.append('%s: %s' % (type(error).__name__, str(error)[:60].replace(path, 'FILE')))

    def main():
        # It takes AAC behind ID3v2 for MP3.
        file = mutagen.aac.AAC(path) if path.endswith('.aac') else mutagen.File(path)
        kind = type(file).__name__
        seen.kinds.append(kind)
        if kind == 'WAVE':
            if file.tags is not None:
                see_id3(seen, mutagen.wave._WaveID3(path, translate=False))
        elif kind == 'AIFF':
            if file.tags is not None:
                see_id3(seen, mutagen.aiff._IFFID3(path, translate=False))
        elif kind == 'MP4':
            see_mp4(seen, file)
        elif kind == 'FLAC':
            if file.tags is not None:
                see_vorbis(seen, list(file.tags))
            for block in file.metadata_blocks:
                if block.code not in (1, 4):
                    seen.add('blocks', str(block.code), block.write())
        elif kind.startswith('Ogg') and file.tags is not None:
            see_vorbis(seen, list(file.tags))

    def front():
        try:
            see_id3(seen, mutagen.id3.ID3(path, translate=False, load_v1=False))
            return
        except mutagen.id3.ID3NoHeaderError:
            pass
        try:
            tag = mutagen.id3.ID3(path, translate=False)
        except mutagen.id3.ID3NoHeaderError:
            return
        # Its encoding is not known, so that a writer may read its texts in another way.
        seen.kinds.append('ID3v1')
        seen.others += [['ID3v1', frame.FrameID, ''] for frame in tag.values()]

    attempt(main)
    attempt(front)
    attempt(lambda: see_ape(seen, path))
    return {'kinds': seen.kinds, 'others': seen.others, 'asked': seen.asked, 'errors': seen.errors}


for line in sys.stdin:
    print(json.dumps(see(line.rstrip('\n'))), flush=True)
