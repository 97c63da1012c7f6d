"""Trains the network that hears beats (src/analysis/activation), on the pieces of rhythm-material.ts.

    python3 test/programs/trainers/rhythm-network.py --data DIR[=WEIGHT[=SHARE]] ... --out MODEL.pt
        [--init MODEL[=SHARE] ...] [--old MODEL] [--minutes 40] [--rate 2.5e-3] [--seed 1] [--held 0.06]
        [--export MODEL.json] [--mates MODEL.pt ...]

Each folder has `ID.json` (labels) and `ID.u8` (what the network hears, of rhythm-spectra.ts). New pieces
are taken in while it runs, so that they may still be being made. A share of the families is held back to
tell how it does on music that it has not heard. `--export` writes a model for rhythm-network.ts; with
`--minutes 0 --init` nothing is trained. A model may be the source of the network that is shipped, of which
the same export is made again; of more than one `--init` the mean is taken, by their shares (Wortsman et al. 2022).
What `--old` says of a piece's beats and bars is SHARE (0.5) of what is learnt of it (Li and Hoiem 2016: learning
without forgetting), all of it for pieces without labels; compound metres and slow pieces are learnt from labels alone.
`--mates` are what other processes write that train at the same time: each takes the mean of all every 90
seconds. Python 3, NumPy and PyTorch 1.13 (Debian's); no GPU. The seed does not fix every bit: how much is
learnt depends on the time that the machine gives.
"""
import argparse
import base64
import copy
import glob
import hashlib
import json
import math
import os
import random
import re
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

# The form of the network; the source reads it from the export.
BANDS, CHANNELS, TAPS, LEVELS = 72, 32, 5, 9
OUTPUTS = 8  # of the last layer, of which three are used
BESIDE = ('halves of beats', 'thirds of beats', 'half bars')
FRAME_RATE = 22050 / 220 / 2
LATE = 0.25  # frames by which a frame's middle is later than its number tells
STEPS = 100  # of levels, for a factor of ten
CROP, BATCH = 1500, 8  # frames of an excerpt, and excerpts of a step
DECAY = 1e-3
BESIDE_SHARE = 0.3  # of the loss
SLOW = 90  # BPM up to which a piece's level is learnt from its label alone
FAR, FAR_RATIO = 0.15, 0.55  # share of excerpts that are made much faster or slower, and by up to which logarithm
PULSE = (60, 200)  # BPM within which a listener taps what is made faster or slower

# What the material has of each tempo (BPM, share), and the tempi of music at large: about 125, two
# thirds of them within half an octave. Pieces are drawn by the ratio.
MADE = {40: .06, 60: .20, 80: .20, 100: .20, 120: .16, 140: .10, 160: .06, 180: .025, 200: .012}
USUAL, SPREAD, MOST = 125, 0.5, 6.0


def drawn(tempo):
    """How often a piece of this tempo is drawn."""
    low = min(200, max(40, int(tempo // 20) * 20))
    usual = math.exp(-0.5 * (math.log2((low + 10) / USUAL) / SPREAD) ** 2) / (low + 10)
    return min(MOST, 10 * usual / MADE[low])


class Net(nn.Module):
    """Two layers over the bands, then residual layers of growing dilation, then three scores."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(BANDS, CHANNELS, (1, 3), padding=(0, 1))
        self.second = nn.Conv2d(CHANNELS, CHANNELS, (1, 3), padding=(0, 1))
        self.dil = nn.ModuleList(
            nn.Conv2d(CHANNELS, CHANNELS, (1, TAPS), padding=(0, TAPS // 2 * 2**level), dilation=(1, 2**level))
            for level in range(LEVELS))
        self.mix = nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 1) for _ in range(LEVELS))
        self.norm = nn.ModuleList(nn.BatchNorm2d(CHANNELS) for _ in range(LEVELS + 2))
        self.head = nn.Conv2d(CHANNELS, 3, 1)
        # What tells levels apart is learnt beside beats, and not exported.
        self.beside = nn.Conv2d(CHANNELS, len(BESIDE), 1)

    def forward(self, x):
        # On a CPU, convolutions with the channels last are the fastest.
        x = x[:, :, None, :].contiguous(memory_format=torch.channels_last)
        x = F.relu(self.norm[0](self.first(x)))
        x = F.relu(self.norm[1](self.second(x)))
        for dilated, mix, norm in zip(self.dil, self.mix, self.norm[2:]):
            x = x + mix(F.relu(norm(dilated(x))))
        x = F.relu(x)
        return self.head(x)[:, :, 0, :], self.beside(x)[:, :, 0, :]


class Material:
    """The pieces of some folders, of which a share of the families is held back."""

    def __init__(self, folders, held):
        self.folders = [(folder.split('=') + ['1', '0.5'][folder.count('='):])[:3] for folder in folders]
        self.share, self.seen = held, set()
        self.train, self.held = [], []

    def is_held(self, family):
        return int(hashlib.md5(('s' + family).encode()).hexdigest()[:8], 16) / 2**32 < self.share

    def read(self):
        """Takes in the pieces that are new."""
        for folder, weight, old in self.folders:
            for labels in sorted(glob.glob(os.path.join(folder, '*.json'))):
                levels = labels[:-5] + '.u8'
                if labels in self.seen or not os.path.exists(levels):
                    continue
                self.seen.add(labels)
                with open(labels) as file:
                    told = json.load(file)
                if 0 < len(told['beats']) < 8:
                    continue
                learnt_alone = told.get('division') == 3 or told['tempo'] < SLOW if told['beats'] else False
                downbeats = set(round(at, 4) for at in told['downbeats'])
                piece = dict(
                    levels=np.fromfile(levels, np.uint8).reshape(-1, BANDS),
                    frames=np.array(told['beats']) * FRAME_RATE - LATE,
                    down=np.array([round(at, 4) in downbeats for at in told['beats']], bool),
                    tempo=told['tempo'], metre=told['beatsPerBar'], division=told.get('division'),
                    weight=float(weight) * (drawn(told['tempo']) if told['beats'] else 1),
                    old=0 if learnt_alone else float(old) if told['beats'] else 1)
                (self.held if self.is_held(told['family']) else self.train).append(piece)
        weights = np.array([piece['weight'] for piece in self.train])
        self.chances = weights / weights.sum()

    def draw(self, count):
        return [self.train[i] for i in np.random.choice(len(self.train), count, p=self.chances)]


def marked(out, places):
    """1 at the frame nearest to a place, one half at its neighbours."""
    for at in places:
        for frame in range(int(math.floor(at)) - 1, int(math.floor(at)) + 3):
            far = abs(frame - at)
            if 0 <= frame < len(out) and far <= 1.5:
                out[frame] = max(out[frame], 1.0 if far <= 0.5 else 0.5)


def targets(frames, down, count):
    """None, beat, downbeat."""
    out = np.zeros((3, count), np.float32)
    marked(out[1], frames[~down])
    marked(out[2], frames[down])
    out[1] = np.where(out[2] > 0, 0, out[1])
    out[0] = 1 - out[1] - out[2]
    return out


def between(frames, part):
    return frames[:-1] + part * np.diff(frames)


def level_of(piece, frames, ratio):
    """What a listener taps of a piece that is so many times as fast, and the parts of a beat: (frames, down, division)."""
    down, tempo = piece['down'], piece['tempo'] * ratio
    firsts = np.flatnonzero(down)
    if len(frames) == 0:
        return frames, down, None
    if tempo > max(PULSE[1], piece['tempo']) and len(firsts) and len(set(firsts % 2)) == 1 and piece['metre'] % 2 == 0:
        return frames[firsts[0] % 2::2], None, 2
    if tempo < min(PULSE[0], piece['tempo']) and piece['division'] == 2:
        return np.sort(np.concatenate([frames, between(frames, 1 / 2)])), None, None
    return frames, down, piece['division']


def beside(frames, down, division, metre, count):
    """The targets beside beats, and which of them are known."""
    out, known = np.zeros((len(BESIDE), count), np.float32), np.zeros((len(BESIDE), 1), np.float32)
    if division is not None:
        marked(out[division - 2], np.concatenate([between(frames, i / division) for i in range(1, division)]))
        known[:2] = 1
    firsts = np.flatnonzero(down) if down is not None else []
    if metre % 2 == 0 and len(firsts):
        marked(out[2], frames[(np.arange(len(frames)) - firsts[0]) % (metre // 2) == 0])
        known[2] = len(set(firsts % (metre // 2))) == 1
    return out, known


def stretched(levels, frames, ratio):
    """The same, so many times as fast."""
    count = int((len(levels) - 1) / ratio)
    at = np.arange(count) * ratio
    low = at.astype(int)
    part = (at - low)[:, None].astype(np.float32)
    return levels[low] * (1 - part) + levels[np.minimum(low + 1, len(levels) - 1)] * part, frames / ratio


def damaged(levels):
    """Transposed by up to three bands, filtered, with bands missing, in noise: each with some chance."""
    steps = random.randint(-3, 3)
    if steps > 0:
        levels = np.concatenate([levels[:, :1].repeat(steps, 1), levels[:, :-steps]], 1)
    if steps < 0:
        levels = np.concatenate([levels[:, -steps:], levels[:, -1:].repeat(-steps, 1)], 1)
    if random.random() < 0.5:
        place = np.linspace(-1, 1, BANDS)
        gain = random.gauss(0, 0.25) * place + random.gauss(0, 0.15) * np.cos(
            place * random.uniform(1, 6) + random.uniform(0, 6))
        factor = (10 ** (gain - gain.max() / 2))[None, :].astype(np.float32)
        levels = np.log10(1 + (10**levels - 1) * factor)
    if random.random() < 0.3:
        width = random.randint(3, 20)
        first = random.randint(0, BANDS - width)
        levels = levels.copy()
        levels[:, first:first + width] *= random.choice([0, 0.3])
    if random.random() < 0.2:
        noise = random.uniform(0, 0.5) + 0.05 * np.random.randn(*levels.shape).astype(np.float32)
        levels = np.maximum(levels, noise)
    return levels


def excerpt(piece, count, vary=True):
    """What the network hears of a piece, what it is to say, and where that is known."""
    levels, frames = piece['levels'], piece['frames']
    ratio = math.exp(random.uniform(-0.2, 0.25)) if vary and random.random() < 0.7 else 1.0
    if vary and random.random() < FAR:
        ratio = math.exp(random.uniform(-FAR_RATIO, FAR_RATIO))
    needed = int(count * ratio) + 2
    start = random.randint(0, max(0, len(levels) - needed)) if vary else 0
    levels = levels[start:start + needed].astype(np.float32) / STEPS
    frames = frames - start
    if ratio != 1:
        levels, frames = stretched(levels, frames, ratio)
    heard, clean = np.zeros((2, BANDS, count), np.float32)
    length = min(count, len(levels))
    clean[:, :length] = levels[:length].T
    heard[:, :length] = (damaged(levels) if vary else levels)[:length].T
    known = np.zeros(count, np.float32)
    first, last = (int(frames[0]) - 3, int(frames[-1]) + 4) if len(frames) else (0, length)
    known[max(0, first):max(0, min(length, last))] = 1
    frames, down, division = level_of(piece, frames, ratio)
    more, told = beside(frames, down, division, piece['metre'], count)
    # Of another level than the score's, only beats are known, not bars.
    target = targets(frames, np.zeros(len(frames), bool) if down is None else down, count)
    return heard, target, known, np.float32(down is not None), more, known * told, clean, np.float32(piece['old'])


def batch(pieces, count, vary=True):
    return [torch.from_numpy(np.stack(part)) for part in zip(*(excerpt(piece, count, vary) for piece in pieces))]


def loss_of(found, target, known, barred, more, told):
    """Cross-entropy; frames of beats, which are few, count three times. With it that of what is beside beats."""
    scores = F.log_softmax(found[0], 1)
    either = torch.logsumexp(scores[:, 1:], 1)
    entropy = torch.where(
        barred[:, None] > 0, -(target * scores).sum(1), -target[:, 0] * scores[:, 0] - (1 - target[:, 0]) * either)
    weight = known * (1 + 2 * (1 - target[:, 0]))
    aside = F.binary_cross_entropy_with_logits(found[1], more, told * (1 + 2 * more), reduction='sum')
    return (entropy * weight).sum() / weight.sum(), aside / (told * (1 + 2 * more)).sum().clamp(min=1)


def held_to(old, target, barred, clean, share):
    """The targets with the share of what the old network says; bars of another level than the score's too."""
    held = share > 0
    if old is None or not held.any():
        return target, barred
    with torch.no_grad():
        said = F.softmax(old(clean[held])[0].float(), 1)
    target, part = target.clone(), share[held][:, None, None]
    # Where the score does not tell bars, its beats are split as the old network splits them.
    either = target[held][:, 1:].sum(1, keepdim=True)
    split = torch.cat([target[held][:, :1], either * said[:, 1:] / said[:, 1:].sum(1, keepdim=True)], 1)
    own = torch.where(barred[held][:, None, None] > 0, target[held], split)
    target[held] = (1 - part) * own + part * said
    return target, torch.where(held, torch.ones_like(barred), barred)


def held_loss(net, held):
    if not held:
        return math.nan
    training = net.training
    net.eval()
    losses = []
    with torch.no_grad():
        for heard, *known in held:
            losses.append(loss_of(net(heard), *known[:5])[0].item())
    net.train(training)
    return sum(losses) / len(losses)


def average(net, mates):
    """Takes the mean of the weights of all that train at the same time."""
    states = [net.state_dict(), *(torch.load(mate)['state'] for mate in mates if os.path.exists(mate))]
    net.load_state_dict({
        name: sum(state[name] for state in states) / len(states) if value.is_floating_point() else value
        for name, value in states[0].items()})


def export(net, path, about):
    """The layers with their norms folded in, as base64: biases, scales, weights as int8."""
    state, blob = net.state_dict(), b''

    def add(name, norm, factor, outputs):
        nonlocal blob
        weight, bias = state[name + '.weight'][:, :, 0, :], state[name + '.bias']
        if norm is not None:
            gain = state[norm + '.weight'] / torch.sqrt(state[norm + '.running_var'] + 1e-5)
            weight = weight * gain[:, None, None]
            bias = (bias - state[norm + '.running_mean']) * gain + state[norm + '.bias']
        weight = weight * factor
        more = outputs - len(weight)
        weight = torch.cat([weight, torch.zeros(more, *weight.shape[1:])])
        bias = torch.cat([bias, torch.zeros(more)])
        scale = (weight.abs().amax((1, 2)) / 127).clamp(min=1e-12)
        whole = torch.round(weight / scale[:, None, None]).to(torch.int8)
        for numbers in (bias, scale):
            blob += numbers.numpy().astype('<f4').tobytes()
        blob += whole.permute(2, 1, 0).contiguous().numpy().tobytes()

    for name, norm, factor, _, outputs, _ in layers():
        add(name, norm, factor, outputs)
    form = dict(bands=BANDS, channels=CHANNELS, taps=TAPS, levels=LEVELS)
    with open(path, 'w') as file:
        json.dump(dict(form=form, weights=base64.b64encode(blob).decode(), about=about), file)


def layers():
    """Of each layer in the order of the export: name, name of its norm, factor, inputs, outputs, taps."""
    yield 'first', 'norm.0', 1 / STEPS, BANDS, CHANNELS, 3
    yield 'second', 'norm.1', 1, CHANNELS, CHANNELS, 3
    for level in range(LEVELS):
        yield f'dil.{level}', f'norm.{level + 2}', 1, CHANNELS, CHANNELS, TAPS
        yield f'mix.{level}', None, 1, CHANNELS, CHANNELS, 1
    yield 'head', None, 1, CHANNELS, OUTPUTS, 1


def read_shipped(net, path):
    """Sets the weights of the export that the source has; its norms do nothing until `renormed`."""
    with open(path) as file:
        blob = base64.b64decode(re.search(r"weights:\s+'([^']*)'", file.read())[1])
    state, at = net.state_dict(), 0

    def take(kind, count):
        nonlocal at
        numbers = np.frombuffer(blob, kind, count, at)
        at += numbers.nbytes
        return torch.from_numpy(numbers.astype(np.float32))

    for name, norm, factor, inputs, outputs, taps in layers():
        bias, scale = take('<f4', outputs), take('<f4', outputs)
        weight = take('i1', taps * inputs * outputs).reshape(taps, inputs, outputs).permute(2, 1, 0)
        used = len(state[name + '.bias'])
        state[name + '.weight'] = (weight * scale[:, None, None] / factor)[:used, :, None, :]
        state[name + '.bias'] = bias[:used]
        if norm is not None:
            state[norm + '.running_var'] = torch.full((CHANNELS,), 1 - 1e-5)
    if at != len(blob):
        raise ValueError(f'{path} has {len(blob)} bytes of weights, {at} are of this form.')
    net.load_state_dict(state)


def read(path):
    """A network, and what is told of it."""
    net, about = Net().to(memory_format=torch.channels_last), {}
    if path.endswith('.ts'):
        read_shipped(net, path)
    else:
        saved = torch.load(path)
        net.load_state_dict(saved['state'])
        about = saved.get('about', {})
    return net, about


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', nargs='+', default=[])
    parser.add_argument('--out')
    parser.add_argument('--init', nargs='*', default=[])
    parser.add_argument('--old')
    parser.add_argument('--export')
    parser.add_argument('--mates', nargs='*', default=[])
    parser.add_argument('--minutes', type=float, default=40)
    parser.add_argument('--rate', type=float, default=2.5e-3)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--held', type=float, default=0.06)
    given = parser.parse_args()
    torch.set_num_threads(1)
    for module in (torch.manual_seed, np.random.seed, random.seed):
        module(given.seed)
    net, old = Net().to(memory_format=torch.channels_last), given.old and read(given.old)[0].eval()
    about = dict(seconds=0, steps=0, pieces=0)
    if given.init:
        parts = [(one.split('=') + ['1'])[:2] for one in given.init]
        models = [(read(path), float(share) / sum(float(part) for _, part in parts)) for path, share in parts]
        net = models[0][0][0]
        net.load_state_dict({
            name: sum(share * one.state_dict()[name] for (one, _), share in models) if value.is_floating_point() else value
            for name, value in net.state_dict().items()})
        about = {**about, **models[0][0][1]}
    if given.minutes > 0:
        material = Material(given.data, given.held)
        material.read()
        held = [batch(material.held[i:i + 16], 1900, False) for i in range(0, min(240, len(material.held)), 16)]
        # What was trained before keeps the norms that it has: those of a few excerpts would spoil it.
        net.train(not given.init)
        print(len(material.train), 'pieces,', len(material.held), 'held back', flush=True)
        optimiser = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=DECAY)
        print(f'held {held_loss(net, held):.4f}', flush=True)
        start = told = kept = time.time()
        step, losses = 0, []
        while (share := (time.time() - start) / 60 / given.minutes) < 1:
            for group in optimiser.param_groups:
                group['lr'] = given.rate * min(1, step / 100) * 0.5 * (1 + math.cos(math.pi * share)) + 1e-5
            heard, target, known, barred, more, kinds, clean, kept_share = batch(material.draw(BATCH), CROP)
            # Half the bits are twice as fast.
            with torch.autocast('cpu', dtype=torch.bfloat16):
                target, barred = held_to(old, target, barred, clean, kept_share)
                found = net(heard)
            loss, aside = loss_of([one.float() for one in found], target, known, barred, more, kinds)
            optimiser.zero_grad()
            (loss + BESIDE_SHARE * aside).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            losses.append((loss.item(), aside.item()))
            step += 1
            if time.time() - told > 90:
                told = time.time()
                ahead = {**about, 'steps': about['steps'] + step}
                torch.save(dict(state=net.state_dict(), about=ahead), given.out + '.part')
                os.replace(given.out + '.part', given.out)
                average(net, given.mates)
                if time.time() - kept > 600:
                    kept = time.time()
                    torch.save(dict(state=net.state_dict(), about=ahead), f'{given.out[:-3]}-{step}.pt')
                print(f'{100 * share:.0f} % step {step} loss', np.mean(losses, 0).round(4),
                      f'held {held_loss(net, held):.4f}', len(material.train), 'pieces', flush=True)
                losses = []
                material.read()
        with open(__file__, 'rb') as file:
            trainer = hashlib.sha256(file.read()).hexdigest()[:16]
        about.update(
            seconds=about['seconds'] + round(time.time() - start), steps=about['steps'] + step,
            pieces=len(material.train), seed=given.seed, held=given.held, trainer=trainer,
            date=time.strftime('%Y-%m-%d'), loss=round(held_loss(net, held), 4))
        torch.save(dict(state=net.state_dict(), about=about), given.out)
    if given.export:
        net.eval()
        export(net, given.export, about)
    print(json.dumps(about))


if __name__ == '__main__':
    main()
